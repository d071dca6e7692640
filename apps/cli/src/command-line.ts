/**
 * Defines all commands and flags. Each command loads its code when it runs, so that none slows down another.
 */
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { run, USAGE } from './commands/run.ts';
import { addBackground } from './definitions/background.ts';
import { collect, withAddress, withSettings } from './definitions/flags.ts';
import { addMcp } from './definitions/mcp.ts';

/** All commands. */
export function commandLine(): Command {
  const program = new Command('chat-kernel')
    .description('Self-hosted server for chats with language models.')
    .version(packageJson.version)
    .showHelpAfterError('(For usage, run chat-kernel --help.)')
    .addHelpText(
      'after',
      '\nFlags override CHAT_KERNEL_... variables, which override the settings file.\n' +
        'By default, the server listens on http://127.0.0.1:8787 and uses every model that it finds.',
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
  return program;
}

function addServe(program: Command): void {
  const command = program.command('serve', { isDefault: true }).description('Start the server (default)');
  run(withSettings(command), async () => (await import('@chat-kernel/server/serve')).serve);
}

function addConfig(program: Command): void {
  const command = program.command('config').description('Print the effective settings, secrets redacted');
  run(withSettings(command), async () => (await import('./commands/config.ts')).printSettings);
}

/** Shared by `chat` and `ask`. */
const HANDS =
  'Machine that the model may use: none; this one: reads (files in --workdir; other operations ask or are denied), ask, ' +
  'all (without approval); kernel: the server, where chat asks and ask does not';

/** Adds the flags of clients whose commands models run on this machine. */
const withMachine = (command: Command): Command =>
  withSettings(
    withAddress(
      command
        .option(
          '--sandbox <kind>',
          'Sandbox of commands here: auto (bubblewrap if it works) or none (default: auto)',
        )
        .option(
          '--env <name>',
          'Environment variable for commands here, besides a few such as PATH; may be repeated',
          collect,
        ),
    ),
  );

function addChat(program: Command): void {
  const command = program
    .command('chat')
    .description('Chat in the terminal')
    .option('--chat <id>', 'Resume this chat (default: a new one)')
    .option('--continue', 'Resume the latest chat in this directory, or the latest chat')
    .option('--model <id>', 'Model, such as anthropic/claude-sonnet-4-5')
    .option('--hands <policy>', HANDS, 'ask')
    .option('--workdir <folder>', 'Working directory (default: the current one)');
  run(withMachine(command), async () => (await import('./commands/chat.ts')).runChat, USAGE);
}

function addAsk(program: Command): void {
  const command = program
    .command('ask [text...]')
    .description('Run one prompt and print the answer')
    .option('--chat <id>', 'Resume this chat (default: a new one)')
    .option('--forget', 'Delete the chat afterwards')
    .option('--model <id>', 'Model, such as anthropic/claude-sonnet-4-5')
    .option('--effort <level>', 'Effort: off, low, mid or high')
    .option('--file <path>', 'File to attach; may be repeated', collect)
    .option('--hands <policy>', HANDS, 'none')
    .option('--workdir <folder>', 'Working directory (default: the current one)')
    .option('--json', 'Print events, one JSON object per line')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nThe answer goes to stdout, progress to stderr. With a prompt as an argument, stdin is its context.\n' +
        'Exit codes: 0 completed, 1 turn failed, 2 invalid usage, 3 no kernel answers, 4 request rejected, ' +
        '5 canceled by another client, 130 interrupted.',
    );
  run(withMachine(command), async () => (await import('./commands/ask.ts')).runAsk, USAGE);
}

function addHands(program: Command): void {
  const command = program
    .command('hands')
    .description('Let your chats run tools on this machine')
    .requiredOption('--name <name>', 'Name of this machine in chats, such as laptop')
    .option(
      '--allow <folder>',
      'Folder whose files tools may access; may be repeated (default: the current one)',
      collect,
    )
    .option('--install', 'Install a service that starts at login, and print how to start it')
    .option('--uninstall', 'Remove that service')
    .addHelpText(
      'after',
      '\nOperations that you allow in any client run on this machine. In the sandbox, commands write only in these folders, do not ' +
        'see keys and passwords, and reach public hosts only. Without it, they can access everything. ' +
        'Review them before you allow them.',
    );
  run(withMachine(command), async () => (await import('./commands/hands.ts')).runHands, USAGE);
}

function addAcp(program: Command): void {
  const command = program
    .command('acp')
    .description('Run as an ACP agent on stdio')
    .addHelpText(
      'after',
      '\nEditors start this command: add it to their settings, such as agent_servers in Zed. Each session is a chat. It works in ' +
        "the editor's folder and asks for approval in the editor.",
    );
  run(withMachine(command), async () => (await import('./commands/acp.ts')).acp, USAGE);
}

function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('Diagnose settings, database, providers and proxy')
    .option('--call', 'Send a test prompt to one model of each provider (costs a few tokens)')
    .option('--url <address>', 'Public URL of the server (default: server.public_url)')
    .option('--token <token>', 'Access token of the proxy (default: $CHAT_KERNEL_TOKEN)')
    .option('--json', 'Print the findings as JSON');
  run(withSettings(command), async () => (await import('./doctor/doctor.ts')).doctor);
}

function addBackup(program: Command): void {
  const backup = program
    .command('backup <file>')
    .description('Back up all data to one file, even while the server runs')
    .option('--check', 'Verify an existing backup instead')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nThe file contains all chats, files, images and sign-ins to MCP servers. Keep it private. It does not contain ' +
        'provider keys or the settings file.',
    );
  run(withSettings(backup), async () => (await import('./commands/backup.ts')).backup);
  const restore = program
    .command('restore <file>')
    .description('Restore a backup into an empty data directory and, if configured, an empty database')
    .option('-q, --quiet', 'Do not print progress');
  run(withSettings(restore), async () => (await import('./commands/backup.ts')).restore);
}

function addModule(program: Command): void {
  program
    .command('module')
    .description('Create modules')
    .command('new <name>')
    .description('Create a working module with a test in a new folder')
    .option('--dir <folder>', 'Folder to create (default: the name)')
    .option('--surface', 'Create a bridge to a messenger that answers each message once')
    .action(async (name: string, { dir, surface }: { dir?: string; surface?: true }) => {
      const { moduleNew } = await import('./commands/module-new.ts');
      try {
        const template = surface ? 'surface' : 'module';
        process.stdout.write(await moduleNew(name, { template, folder: dir }));
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        process.exitCode = 1;
      }
    });
}

function addFiles(program: Command): void {
  const move = program
    .command('files')
    .description('Manage stored files and images')
    .command('move')
    .description('Move all stored files to one backend (server stopped)')
    .requiredOption('--to <place>', 'Backend: data_dir, postgres or s3, as in files.store.in')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nA file is deleted from its old backend after its copy is stored and verified. If the command is interrupted, run it again ' +
        'to continue. The setting files.store.in selects the backend of new files.',
    );
  run(withSettings(move), async () => (await import('./commands/files.ts')).moveFiles);
}

function addImport(program: Command): void {
  const command = program
    .command('import <file>')
    .description('Import a ChatGPT or Claude export as downloaded, or an export of Chat Kernel')
    .option('--dry-run', 'Show what would be imported')
    .option('--shelf <name>', 'Shelf of the imported chats')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nThe file is a .zip, a folder, a conversations.json or a .jsonl. Conversations are not imported twice. They ' +
        'are sent to the running server of these data, or written to the data directly if none runs.\n' +
        'Exit codes: 0 all imported, 1 import stopped, 2 some conversations could not be imported.',
    );
  run(withSettings(withAddress(command)), async () => (await import('./commands/import.ts')).importFile);
}
