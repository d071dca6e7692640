/** Generates completion for bash 3.2 (macOS) and later, without the bash-completion package. */
import type { CommandFacts, FlagFacts } from './facts.ts';
import { findValues, type Values } from './values.ts';

const PROPOSE: Readonly<Record<'file' | 'folder', string>> = {
  file: '_chat_kernel_paths -f',
  folder: '_chat_kernel_paths -d',
};

export function bashCompletion(program: CommandFacts): string {
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  const all = [program, ...program.commands, ...groups.flatMap(({ commands }) => commands)];
  const named = all.filter(({ name }) => name !== '');
  return `# Completion of chat-kernel for bash: source <(chat-kernel completion bash)
_chat_kernel_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_chat_kernel_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_chat_kernel() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= i
  # Bash takes --flag=value for three words.
  if [ "$cur" = = ]; then cur=
  elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${named.map(({ name }) => `'${name.includes(' ') ? name : ` ${name}`}'`).join(' | ')})
        command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $prev" in
${all.flatMap(each => each.flags.flatMap(flag => valueCase(each.name, flag))).join('\n')}
  esac
  case "$command" in
${all.map(choices).join('\n')}
  esac
}
complete -F _chat_kernel chat-kernel
`;
}

/** Completes the value of a flag. */
function valueCase(command: string, { short, long, value }: FlagFacts): string[] {
  if (value === undefined) return [];
  const names = [long, ...(short ? [short] : [])].map(name => `'${command} ${name}'`);
  return [`    ${names.join(' | ')}) ${propose(findValues(value))}return ;;`];
}

function choices({ name, flags, commands, takes }: CommandFacts): string {
  const words = [...flags.map(({ long }) => long), '--help'].join(' ');
  const others =
    commands.length > 0
      ? propose(commands.map(each => each.name.split(' ').at(-1)!))
      : propose(findValues(takes[0]));
  return `    '${name}') case "$cur" in -*) _chat_kernel_words '${words}' ;; *) ${others || ': '};; esac ;;`;
}

const propose = (values: Values): string =>
  values === null
    ? ''
    : typeof values === 'string'
      ? `${PROPOSE[values]}; `
      : `_chat_kernel_words '${values.join(' ')}'; `;
