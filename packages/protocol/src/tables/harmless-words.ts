/**
 * Decides whether the table of programs allows all options and operands of a plain command (CONSENT-7). Anything that the
 * table omits is refused.
 */
import { PROGRAMS } from './programs.ts';
import type { Subcommands, WordRules } from './word-rules.ts';

export interface CommandWord {
  /** Without quotes. */
  text: string;
  /** The shell may put names of files in its place. */
  glob: boolean;
}

/** A command. The owner chose the first words as the prefix: `chosen` is their number. */
interface Command {
  words: readonly CommandWord[];
  chosen: number;
}

export function areHarmless(words: readonly CommandWord[], chosen: number): boolean {
  const [program, ...rest] = words;
  if (program === undefined || program.glob) return false;
  if (program.text === 'ssh') return isHarmlessSsh({ words, chosen });
  const rules = Object.hasOwn(PROGRAMS, program.text) ? PROGRAMS[program.text] : undefined;
  if (rules === undefined) return false;
  if ('reads' in rules) return isHarmlessSubcommand(rules, { words, chosen });
  return follow(rules, program.text === 'tar' ? withDash(rest) : rest);
}

/** Returns the length of a useful prefix of the command: the program, its subcommand and its script. */
export function usefulWords(words: readonly CommandWord[]): number {
  const name = words[0]?.text ?? '';
  const rules = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  const found =
    rules && 'reads' in rules ? findSubcommand(rules, { words, chosen: words.length }) : undefined;
  return found ? found.end + (found.rules.script ? 1 : 0) : 2;
}

function isHarmlessSubcommand(program: Subcommands, command: Command): boolean {
  const found = findSubcommand(program, command);
  if (found === undefined) return false;
  const { rules, end, acts } = found;
  const { words, chosen } = command;
  if (acts && chosen < end) return false;
  const rest = words.slice(end);
  const operands = rest.filter(({ text }) => !isOption(text));
  const isChosen = chosen > end && rest[0] === operands[0];
  if (rules.target && operands.length > 0 && !isChosen) return false;
  return follow(rules, rest);
}

/** Finds the subcommand, which may have two words, behind harmless options. */
function findSubcommand(
  { globals, chosen: values = '', reads, acts }: Subcommands,
  { words, chosen }: Command,
) {
  let at = 1;
  for (let text = words[at]?.text; text?.startsWith('-'); text = words[at]?.text) {
    // A subcommand may look like an option, as in `unzip -l`.
    if (Object.hasOwn(reads, text)) break;
    if (listOf(globals).includes(text)) at += 1;
    // The subcommand must be in the prefix, too: otherwise the prefix is a directory for whatever follows.
    else if (listOf(values).includes(text) && chosen > at + 2) at += 2;
    else return undefined;
  }
  for (const length of [2, 1]) {
    const name = words.slice(at, at + length);
    if (name.length < length || name.some(({ glob }) => glob)) continue;
    const key = name.map(({ text }) => text).join(' ');
    const end = at + length;
    if (Object.hasOwn(reads, key)) return { rules: reads[key]!, end, acts: false };
    if (Object.hasOwn(acts, key)) return { rules: acts[key]!, end, acts: true };
  }
  return undefined;
}

function follow(rules: WordRules, words: readonly CommandWord[]): boolean {
  const { except, only, operands: form, first = form, most = Infinity } = rules;
  const isFree = except === undefined && only === undefined;
  // Names of files would be more operands, or others.
  const isCounted = first !== undefined || most < Infinity;
  const isOpen = ({ text, glob }: CommandWord) => glob && (isCounted || /^[-*?[]/.test(text));
  if (!isFree && words.some(isOpen)) return false;
  const dashes = words.findIndex(({ text }) => text === '--');
  const isAllowed = ({ text }: CommandWord, index: number) =>
    text === '-' ||
    text === '--' ||
    (only === undefined
      ? !isRefused(text, listOf(except ?? ''))
      : // Behind two dashes, options are those of another program.
        (dashes < 0 || index < dashes) && isListed(text, listOf(only)));
  const operands = words.filter(({ text }) => !isOption(text) && text !== '--');
  return (
    operands.length <= most &&
    operands.every(({ text }, index) => (index === 0 ? first : form)?.test(text) ?? true) &&
    words.every((word, index) => !word.text.startsWith('-') || isAllowed(word, index))
  );
}

const listOf = (names: string): string[] => names.split(' ');

const isOption = (text: string): boolean => text.startsWith('-') && text !== '-';

/** Whether an option may be one of the names: also shortened, with a value, or joined with other letters. */
function isRefused(text: string, names: readonly string[]): boolean {
  const [name = ''] = text.split('=');
  if (name.startsWith('--')) return names.some(each => each.startsWith(name));
  if (names.includes(name)) return true;
  return names.some(each => each.length === 2 && text.slice(1).includes(each[1]!));
}

/** Whether an option is one of the names, exactly, with or without a value. */
function isListed(text: string, names: readonly string[]): boolean {
  // A letter is followed by its value directly, without an equals sign.
  const [name = ''] = text.split('=');
  if (name.length > 2 ? names.includes(name) : names.includes(text)) return true;
  const letters = /^-([a-z]+)\d*$/i.exec(text)?.[1];
  return letters !== undefined && [...letters].every(letter => names.includes(`-${letter}`));
}

/** The first argument of tar may be letters of options without a dash. */
const withDash = ([first, ...others]: readonly CommandWord[]): CommandWord[] =>
  first === undefined
    ? []
    : [first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` }, ...others];

/** Options of ssh that only change what it prints, and how it connects. */
const SSH = listOf('-v -q -4 -6 -T -x -a -n -C');

/**
 * The prefix must contain the host. If it also contains the beginning of the command for that host, that is a prefix there.
 * A shell on the host splits the command again.
 */
function isHarmlessSsh({ words, chosen }: Command): boolean {
  if (chosen < 2 || words[1]!.text.startsWith('-') || words[1]!.glob) return false;
  let at = 2;
  while (words[at]?.text.startsWith('-')) {
    if (!isListed(words[at]!.text, SSH)) return false;
    at += 1;
  }
  if (chosen <= at) return true;
  const remote = words.slice(at);
  if (remote.some(({ text }) => text === '' || /[\s"']/.test(text))) return false;
  return areHarmless(
    remote.map(({ text }) => ({ text, glob: /[*?[]/.test(text) })),
    chosen - at,
  );
}
