/** The program: reads the command line, starts the server or shows its settings. */
import packageJson from '../package.json' with { type: 'json' };
import type { AskFlags } from './commands/ask.ts';
import type { ChatFlags } from './commands/chat.ts';
import type { DoctorOptions } from './doctor/doctor.ts';
import type { Flags } from './settings/overrides.ts';

const [, , ...words] = process.argv;
// Without a word there is nothing to parse, and a start is quicker without the parser.
if (words.length === 0) await serve({});
else await commandLine();

async function commandLine(): Promise<void> {
  const { Command } = await import('commander');
  const collect = (value: string, previous: string[] = []) => [...previous, value];
  const withSettings = (command: InstanceType<typeof Command>) =>
    command
      .option(
        '-c, --config <file>',
        'settings file to read (else ./chat-kernel.yaml, else ~/.config/chat-kernel/config.yaml)',
      )
      .option('--host <address>', 'address to listen on (default 127.0.0.1)')
      .option('-p, --port <number>', 'port to listen on, 0 for a free one (default 8787)')
      .option('-d, --data <folder>', 'folder in which the kernel keeps everything')
      .option(
        '--set <path=value>',
        'any other setting, such as llm.reasoning=high; may be repeated',
        collect,
      );
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
  withSettings(
    program
      .command('serve', { isDefault: true })
      .description('start the server (what happens without a command)'),
  ).action((flags: Flags) => serve(flags));
  withSettings(
    program.command('config').description('print the settings that would be used, secrets hidden'),
  ).action((flags: Flags) => printSettings(flags));
  const withAddress = (command: InstanceType<typeof Command>) =>
    command
      .option(
        '--url <address>',
        'the kernel to talk to (default CHAT_KERNEL_URL, else the one of the settings)',
      )
      .option('--token <token>', 'what the proxy before it asks for (default CHAT_KERNEL_TOKEN)');
  withSettings(
    withAddress(
      program
        .command('chat')
        .description('talk in this terminal; the model may work on this machine where you allow it')
        .option('--chat <id>', 'go on in this chat (default: a new one)')
        .option('--continue', 'go on in the newest chat')
        .option('--model <id>', 'such as anthropic/claude-sonnet-4-5')
        .option(
          '--hands <policy>',
          'what this machine does for the model: ask, reads (asks about all but reading below --workdir), none',
          'ask',
        )
        .option('--workdir <folder>', 'where hands begin (default: the present one)'),
    ),
  ).action((flags: ChatFlags) => chatHere(flags));
  withSettings(
    withAddress(
      program
        .command('ask [text...]')
        .description('ask once: the answer on stdout, progress on stderr; stdin is the context')
        .option('--chat <id>', 'go on in this chat (default: a new one)')
        .option('--forget', 'delete the new chat when it is over')
        .option('--model <id>', 'such as anthropic/claude-sonnet-4-5')
        .option('--effort <level>', 'off, low, mid or high')
        .option('--file <path>', 'a file to send along; may be repeated', collect)
        .option(
          '--hands <policy>',
          'what this machine does for the model: none, reads (below --workdir), all',
          'none',
        )
        .option('--workdir <folder>', 'where hands begin (default: the present one)')
        .option('--json', 'print the events, one JSON object a line')
        .option('-q, --quiet', 'no progress')
        .addHelpText(
          'after',
          '\nExit codes: 0 completed, 1 the turn failed, 2 wrong usage, 3 no kernel answers, 4 it refused, ' +
            '5 cancelled by somebody else, 130 interrupted.',
        ),
    ),
  ).action((words: string[], flags: AskFlags) => askOnce(words, flags));
  withSettings(
    program
      .command('doctor')
      .description('look for what is wrong with settings, database, providers and proxy, and say what helps')
      .option('--call', 'ask one model of each provider for a word (costs a few tokens)')
      .option(
        '--url <address>',
        'the address under which clients reach the kernel (default server.public_url)',
      )
      .option('--token <token>', 'what the proxy there asks for (default CHAT_KERNEL_TOKEN)')
      .option('--json', 'print the findings as JSON'),
  ).action((flags: Flags & DoctorOptions) => examine(flags));
  program
    .command('module')
    .description('write modules')
    .command('new <name>')
    .description('write a module that works, with its test, into a new folder')
    .option('--dir <folder>', 'where (default: the name)')
    .action(newModule);
  await program.parseAsync();
}

async function serve(flags: Flags): Promise<void> {
  const { run } = await import('./serve.ts');
  await run(flags);
}

async function printSettings(flags: Flags): Promise<void> {
  const { show } = await import('./commands/config.ts');
  await show(flags);
}

async function chatHere(flags: ChatFlags): Promise<void> {
  const { chatHere } = await import('./commands/chat.ts');
  await chatHere(flags);
}

async function askOnce(words: string[], flags: AskFlags): Promise<void> {
  const { askOnce } = await import('./commands/ask.ts');
  await askOnce(words, flags);
}

async function examine({ call, url, token, json, ...flags }: Flags & DoctorOptions): Promise<void> {
  const { doctor } = await import('./doctor/doctor.ts');
  await doctor(flags, {
    ...(call && { call }),
    ...(url && { url }),
    ...(token && { token }),
    ...(json && { json }),
  });
}

async function newModule(name: string, { dir }: { dir?: string }): Promise<void> {
  const { moduleNew } = await import('./commands/module-new.ts');
  try {
    process.stdout.write(await moduleNew(name, dir));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
