/** Generates the man page chat-kernel(1) from the commands. */
import { type CommandFacts, type FlagFacts, listLeafCommands } from './facts.ts';

/** Facts that no command contains. */
const ENVIRONMENT: readonly (readonly [name: string, about: string])[] = [
  ['CHAT_KERNEL_CONFIG', 'the settings file'],
  ['CHAT_KERNEL_DATA', 'the data directory'],
  ['CHAT_KERNEL_...', 'any other setting: server.port is CHAT_KERNEL_SERVER_PORT'],
  ['CHAT_KERNEL_URL, CHAT_KERNEL_TOKEN', 'the server address and access token of client commands'],
  [
    'ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and others',
    'provider keys, which enable the providers',
  ],
  ['NO_COLOR', 'disables colors if set'],
];
const FILES: readonly (readonly [name: string, about: string])[] = [
  ['~/.config/chat-kernel/config.yaml', 'the default settings file'],
  ['~/.local/share/chat-kernel', 'the default data directory'],
  [
    '~/.local/share/chat-kernel/kernel.log',
    'the log of a server in the background; kernel.log.1 is the previous one',
  ],
];

/** Lists the flags of `serve` once for all commands that share them. */
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
    ...listLeafCommands(program).flatMap(each => [
      `.SS ${bold(each.name)}${each.arguments ? ` ${text(each.arguments)}` : ''}`,
      `${text(sentence(each.about))}${each.flags.some(isShared) ? ' Also accepts the settings flags.' : ''}`,
      ...each.flags.filter(flag => !isShared(flag)).flatMap(flagLines),
      ...(each.after ? ['.PP', text(each.after)] : []),
    ]),
    '.SH SETTINGS FLAGS',
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

const bold = (content: string): string => `\\fB${text(content)}\\fR`;

const sentence = (content: string): string =>
  `${content.slice(0, 1).toUpperCase()}${content.slice(1)}${/[.!?]$/.test(content) ? '' : '.'}`;

/** Escapes formatter requests. */
const text = (content: string): string =>
  content
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
