/** Generates completion for zsh, with descriptions. */
import type { CommandFacts, FlagFacts } from './facts.ts';
import { findValues, type Values } from './values.ts';

export function zshCompletion(program: CommandFacts): string {
  return `#compdef chat-kernel
# Completion of chat-kernel for zsh: source <(chat-kernel completion zsh), or a file _chat-kernel in the fpath
${[program, ...program.commands.filter(({ commands }) => commands.length > 0)].map(group).join('\n')}
compdef _chat_kernel chat-kernel
`;
}

/** Generates a function for a command with subcommands. */
function group({ name, flags, commands }: CommandFacts): string {
  const own = (each: CommandFacts) => each.name.split(' ').at(-1)!;
  return `${functionName(name)}() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(${commands.map(each => quoted(`${own(each)}:${each.about}`)).join(' ')})
  _arguments -C ${flags.map(formatArgument).join(' ')} ${quoted('1: :->command')} ${quoted('*:: :->rest')}
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${commands.map(each => `        ${own(each)}) ${each.commands.length > 0 ? functionName(each.name) : leaf(each)} ;;`).join('\n')}
      esac ;;
  esac
}`;
}

const functionName = (name: string): string =>
  `_chat_kernel${name === '' ? '' : `_${name.replaceAll(' ', '_')}`}`;

const leaf = ({ flags, takes }: CommandFacts): string =>
  `_arguments ${[...flags.map(formatArgument), ...takes.map(name => quoted(`*:${name}:${action(findValues(name))}`))].join(' ')}`;

function formatArgument({ short, long, value, about }: FlagFacts): string {
  const escaped = about.replaceAll(/[[\]\\:]/g, '\\$&');
  const behind = value === undefined ? '' : `:${value.replaceAll(':', '\\:')}:${action(findValues(value))}`;
  return [long, ...(short ? [short] : [])]
    .map(name =>
      quoted(`${name}${value === undefined ? '' : name === long ? '=' : '+'}[${escaped}]${behind}`),
    )
    .join(' ');
}

const action = (values: Values): string =>
  values === null
    ? ' '
    : values === 'file'
      ? '_files'
      : values === 'folder'
        ? '_files -/'
        : `(${values.join(' ')})`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
