/** Completion for zsh, with a word on each command and flag. */
import type { CommandFacts, FlagFacts } from './facts.ts';
import { type Values, valuesOf } from './values.ts';

export function zshCompletion(program: CommandFacts): string {
  return `#compdef chat-kernel
# Completion of chat-kernel for zsh: source <(chat-kernel completion zsh), or a file _chat-kernel in the fpath
${[program, ...program.commands.filter(({ commands }) => commands.length > 0)].map(group).join('\n')}
compdef _chat_kernel chat-kernel
`;
}

/** A function for a command that has commands below it. */
function group({ name, flags, commands }: CommandFacts): string {
  const own = (each: CommandFacts) => each.name.split(' ').at(-1)!;
  return `${functionOf(name)}() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(${commands.map(each => quoted(`${own(each)}:${each.about}`)).join(' ')})
  _arguments -C ${flags.map(argumentOf).join(' ')} ${quoted('1: :->command')} ${quoted('*:: :->rest')}
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${commands.map(each => `        ${own(each)}) ${each.commands.length > 0 ? functionOf(each.name) : leaf(each)} ;;`).join('\n')}
      esac ;;
  esac
}`;
}

const functionOf = (name: string): string =>
  `_chat_kernel${name === '' ? '' : `_${name.replaceAll(' ', '_')}`}`;

const leaf = ({ flags, takes }: CommandFacts): string =>
  `_arguments ${[...flags.map(argumentOf), ...takes.map(name => quoted(`*:${name}:${action(valuesOf(name))}`))].join(' ')}`;

function argumentOf({ short, long, value, about }: FlagFacts): string {
  const told = about.replaceAll(/[[\]\\:]/g, '\\$&');
  const behind = value === undefined ? '' : `:${value.replaceAll(':', '\\:')}:${action(valuesOf(value))}`;
  return [long, ...(short ? [short] : [])]
    .map(name => quoted(`${name}${value === undefined ? '' : name === long ? '=' : '+'}[${told}]${behind}`))
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
