/** The man page, chat-kernel(1), of what the commands say of themselves. */
import { type CommandFacts, type FlagFacts, leavesOf } from './facts.ts';

/** What no command says. */
const ENVIRONMENT: readonly (readonly [name: string, about: string])[] = [
  ['CHAT_KERNEL_CONFIG', 'the settings file'],
  ['CHAT_KERNEL_DATA', 'the folder in which the kernel keeps everything'],
  ['CHAT_KERNEL_...', 'any other setting: server.port is CHAT_KERNEL_SERVER_PORT'],
  [
    'CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN',
    'for chat and ask: the kernel to talk to, and what the proxy before it asks for',
  ],
  [
    'ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and others',
    'keys, by which the kernel finds providers',
  ],
  ['NO_COLOR', 'where it is set, nothing has colours'],
];
const FILES: readonly (readonly [name: string, about: string])[] = [
  ['~/.config/chat-kernel/config.yaml', 'the settings file that is read unless another one is named'],
  ['~/.local/share/chat-kernel', 'the data, unless the settings name another folder'],
  [
    '~/.local/share/chat-kernel/kernel.log',
    'the log of a kernel in the background; kernel.log.1 is the one before',
  ],
];

/** @param serve the command that runs where none is named; its flags are told once for all that have them */
export function manPage(program: CommandFacts, version: string): string {
  const shared = program.commands.find(({ name }) => name === 'serve')!.flags;
  const isShared = ({ long }: FlagFacts) => shared.some(each => each.long === long);
  return [
    `.TH CHAT-KERNEL 1 "" "chat-kernel ${text(version)}" "Chat Kernel"`,
    '.SH NAME',
    `chat\\-kernel \\- ${text(program.about)}`,
    '.SH SYNOPSIS',
    '.B chat\\-kernel',
    '[\\fIcommand\\fR] [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    text(program.after),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap(each => [
      `.SS ${bold(each.name)}${each.arguments ? ` ${text(each.arguments)}` : ''}`,
      `${text(sentence(each.about))}${each.flags.some(isShared) ? ' Takes the flags of the settings, too.' : ''}`,
      ...each.flags.filter(flag => !isShared(flag)).flatMap(flagLines),
      ...(each.after ? ['.PP', text(each.after)] : []),
    ]),
    '.SH FLAGS OF THE SETTINGS',
    ...shared.flatMap(flagLines),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, about]) => ['.TP', bold(name), text(sentence(about))]),
    '.SH FILES',
    ...FILES.flatMap(([name, about]) => ['.TP', `.I ${text(name)}`, text(sentence(about))]),
    '',
  ].join('\n');
}

function flagLines({ short, long, value, about }: FlagFacts): string[] {
  const names = [...(short ? [short] : []), long].map(bold).join(', ');
  return ['.TP', value ? `${names} \\fI${text(value)}\\fR` : names, text(about)];
}

const bold = (words: string): string => `\\fB${text(words)}\\fR`;

const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;

/** Nothing in it is a request to the formatter. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
