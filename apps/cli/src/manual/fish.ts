/** Generates completion for fish, with descriptions. */
import { type CommandFacts, type FlagFacts, listLeafCommands } from './facts.ts';
import { findValues, type Values } from './values.ts';

export function fishCompletion(program: CommandFacts): string {
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  return `# Completion of chat-kernel for fish: chat-kernel completion fish | source
complete -c chat-kernel -f
${[
  ...program.commands.map(each => line('__fish_use_subcommand', [`-a ${each.name}`], each.about)),
  ...program.flags.map(flag => flagLine('__fish_use_subcommand', flag)),
  ...groups.flatMap(({ name, commands }) =>
    commands.map(each =>
      line(`__fish_seen_subcommand_from ${name}`, [`-a ${each.name.split(' ').at(-1)}`], each.about),
    ),
  ),
  ...listLeafCommands(program).flatMap(leafLines),
].join('\n')}
`;
}

function leafLines({ name, flags, takes }: CommandFacts): string[] {
  const condition = name
    .split(' ')
    .map(word => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
  const values = findValues(takes[0]);
  return [
    ...flags.map(flag => flagLine(condition, flag)),
    ...(values === null ? [] : [line(condition, [behind(values)], '')]),
  ];
}

function flagLine(condition: string, { short, long, value, about }: FlagFacts): string {
  const words = [`-l ${long.slice(2)}`, ...(short ? [`-s ${short.slice(1)}`] : [])];
  return line(
    condition,
    value === undefined ? words : [...words, value && `-r ${behind(findValues(value))}`],
    about,
  );
}

const behind = (values: Values): string =>
  values === null
    ? '-f'
    : values === 'file'
      ? '-F'
      : values === 'folder'
        ? "-f -a '(__fish_complete_directories)'"
        : `-f -a '${values.join(' ')}'`;

const line = (condition: string, words: readonly string[], about: string): string =>
  `complete -c chat-kernel -n ${quoted(condition)} ${words.join(' ')}${about === '' ? '' : ` -d ${quoted(about)}`}`;

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
