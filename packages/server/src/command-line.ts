/**
 * The command line: all commands with their flags. A command loads its program when it runs, so that none waits for
 * another.
 */
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { AddressFlags } from './commands/address.ts';
import type { AskFlags } from './commands/ask.ts';
import type { BackupFlags } from './commands/backup.ts';
import type { ChatFlags } from './commands/chat.ts';
import type { HandsFlags } from './commands/hands.ts';
import { addBackground } from './definitions/background.ts';
import { addCompletion } from './definitions/completion.ts';
import { addFiles } from './definitions/files.ts';
import { collect, withAddress, withSettings } from './definitions/flags.ts';
import { addImport } from './definitions/import.ts';
import { addMcp } from './definitions/mcp.ts';
import type { DoctorOptions } from './doctor/doctor.ts';
import type { Flags } from './settings/overrides.ts';

/** Parses the arguments of this process and runs the command. */
export async function runCommandLine(): Promise<void> {
  await commandLine().parseAsync();
}

/** All commands, as they are also told to the man page and to shells. */
export function commandLine(): Command {
  const program = new Command('chat-kernel')
    .description(
      'A kernel for chats between one owner and language models, over HTTP and server-sent events.',
    )
    .version(packageJson.version)
    .showHelpAfterError('(chat-kernel --help shows what there is)')
    .addHelpText(
      'after',
      '\nFlags win over CHAT_KERNEL_... variables, and those over the settings file.\n' +
        'Without any of them it starts on http://127.0.0.1:8787 with whatever models it finds.',
    );
  addServe(program);
  addBackground(program);
  addConfig(program);
  addChat(program);
  addAsk(program);
  addHands(program);
  addAcp(program);
  addDoctor(program);
  addBackup(program);
  addImport(program);
  addFiles(program);
  addModule(program);
  addMcp(program);
  addCompletion(program);
  return program;
}

function addServe(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('start the server (what happens without a command)');
  withSettings(command).action(async (flags: Flags) => {
    const { serve } = await import('./serve.ts');
    await serve(flags);
  });
}

function addConfig(program: Command): void {
  const command = program
    .command('config')
    .description('print the settings that would be used, secrets hidden');
  withSettings(command).action(async (flags: Flags) => {
    const { printSettings } = await import('./commands/config.ts');
    await printSettings(flags);
  });
}

/** The same words for both commands. */
const HANDS =
  'where the model may work: none; on this machine: reads (below --workdir; asks or refuses else), ask, all (unasked); ' +
  "kernel: on the kernel's machine, where chat asks and ask does not";

function addChat(program: Command): void {
  const command = program
    .command('chat')
    .description('talk in this terminal; the model may work on this machine where you allow it')
    .option('--chat <id>', 'go on in this chat (default: a new one)')
    .option('--continue', 'go on in the newest chat of this folder, else in the newest of all')
    .option('--model <id>', 'such as anthropic/claude-sonnet-4-5')
    .option('--hands <policy>', HANDS, 'ask')
    .option('--workdir <folder>', 'where hands begin (default: the present one)');
  withSettings(withAddress(command)).action(async (flags: ChatFlags) => {
    const { chatHere } = await import('./commands/chat.ts');
    await chatHere(flags);
  });
}

function addAsk(program: Command): void {
  const command = program
    .command('ask [text...]')
    .description('ask once: the answer on stdout, progress on stderr; stdin is the context')
    .option('--chat <id>', 'go on in this chat (default: a new one)')
    .option('--forget', 'delete the new chat when it is over')
    .option('--model <id>', 'such as anthropic/claude-sonnet-4-5')
    .option('--effort <level>', 'off, low, mid or high')
    .option('--file <path>', 'a file to send along; may be repeated', collect)
    .option('--hands <policy>', HANDS, 'none')
    .option('--workdir <folder>', 'where hands begin (default: the present one)')
    .option('--json', 'print the events, one JSON object a line')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nExit codes: 0 completed, 1 the turn failed, 2 wrong usage, 3 no kernel answers, 4 it refused, ' +
        '5 cancelled by somebody else, 130 interrupted.',
    );
  withSettings(withAddress(command)).action(async (text: string[], flags: AskFlags) => {
    const { askOnce } = await import('./commands/ask.ts');
    await askOnce(text, flags);
  });
}

function addHands(program: Command): void {
  const command = program
    .command('hands')
    .description(
      'stand by: chats that name this machine act on it, whoever speaks in them, such as your phone',
    )
    .requiredOption('--name <name>', 'what chats call this machine, such as laptop')
    .option(
      '--allow <folder>',
      'a folder whose files they may reach; may be repeated (default: the present one)',
      collect,
    )
    .option('--install', 'write a service that does this at every login, and say how to start it')
    .option('--uninstall', 'remove that service')
    .addHelpText(
      'after',
      '\nWhat you allow in a client of this kernel then runs here. Commands begin in these folders; what they do is up to ' +
        'you when you allow them.',
    );
  withSettings(withAddress(command)).action(async (flags: HandsFlags) => {
    const { standByHere } = await import('./commands/hands.ts');
    await standByHere(flags);
  });
}

function addAcp(program: Command): void {
  const command = program
    .command('acp')
    .description('be the agent of an editor that speaks the Agent Client Protocol, over stdin and stdout')
    .addHelpText(
      'after',
      "\nEditors start it: name it in their settings, such as Zed's agent_servers. Its sessions are chats, which work in " +
        "the editor's folder and ask there.",
    );
  withSettings(withAddress(command)).action(async (flags: AddressFlags) => {
    const { acp } = await import('./commands/acp.ts');
    await acp(flags);
  });
}

function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('look for what is wrong with settings, database, providers and proxy, and say what helps')
    .option('--call', 'ask one model of each provider for a word (costs a few tokens)')
    .option('--url <address>', 'the address under which clients reach the kernel (default server.public_url)')
    .option('--token <token>', 'what the proxy there asks for (default CHAT_KERNEL_TOKEN)')
    .option('--json', 'print the findings as JSON');
  withSettings(command).action(async ({ call, url, token, json, ...flags }: Flags & DoctorOptions) => {
    const { doctor } = await import('./doctor/doctor.ts');
    await doctor(flags, {
      ...(call && { call }),
      ...(url && { url }),
      ...(token && { token }),
      ...(json && { json }),
    });
  });
}

function addBackup(program: Command): void {
  const backup = program
    .command('backup <file>')
    .description('save everything the kernel keeps in one file, also while it runs')
    .option('--check', 'make none: read the file, and say whether it is a whole backup')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nThe file holds all chats, files and images, and sign-ins to tool servers: keep it private. Keys of providers ' +
        'and the settings file are not in it.',
    );
  withSettings(backup).action(async (file: string, { check, quiet, ...flags }: BackupFlags) => {
    const commands = await import('./commands/backup.ts');
    await (check ? commands.checkBackup(file, { quiet }) : commands.backup(file, { quiet, ...flags }));
  });
  const restore = program
    .command('restore <file>')
    .description(
      'put a backup back, into an empty --data folder and, where the settings name one, an empty database',
    )
    .option('-q, --quiet', 'no progress');
  withSettings(restore).action(async (file: string, flags: BackupFlags) => {
    const commands = await import('./commands/backup.ts');
    await commands.restore(file, flags);
  });
}

function addModule(program: Command): void {
  program
    .command('module')
    .description('write modules')
    .command('new <name>')
    .description('write a module that works, with its test, into a new folder')
    .option('--dir <folder>', 'where (default: the name)')
    .action(async (name: string, { dir }: { dir?: string }) => {
      const { moduleNew } = await import('./commands/module-new.ts');
      try {
        process.stdout.write(await moduleNew(name, dir));
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        process.exitCode = 1;
      }
    });
}
