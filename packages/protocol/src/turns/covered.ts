/**
 * The reach of a lasting yes, by the text of an operation alone (HANDS-7). The kernel and the machine's owner judge by the
 * same rules, each for itself.
 */

/** Characters with which a command may be more than one, write elsewhere, or be another than it looks. */
const NOT_PLAIN = /[^\P{C}\t]|[;&|<>()`$\\{}!#^%\u2028\u2029]/u;
const QUOTES = /["']/;

/**
 * The words of a command with which a prefix may begin: as many as stand before the first quote. Empty where the command is
 * not one plain command: it has operators, substitutions or redirections, or sets a variable first.
 */
export function prefixWords(command: string): string[] {
  if (NOT_PLAIN.test(command)) return [];
  const words = command.split(/[ \t]/).filter(word => word !== '');
  if (words[0]?.includes('=')) return [];
  const quoted = words.findIndex(word => QUOTES.test(word));
  return quoted < 0 ? words : words.slice(0, quoted);
}

/** Whether these are whole words from the beginning of a plain command. */
export function isPrefix(prefix: string, command: string): boolean {
  const wanted = prefix.split(/[ \t]/).filter(word => word !== '');
  const words = prefixWords(command);
  return wanted.length > 0 && wanted.every((word, index) => word === words[index]);
}

/** Files that make git or the shell run something. */
const RUNS =
  /^(?:\.git(?:config|modules|attributes)?|git~\d|\.(?:bash|zsh|ksh|csh|tcsh)(?:rc|env|_.{1,40})|\.z?(?:profile|login|logout)|\.inputrc|\.envrc)$/i;

/**
 * Whether a path is one of a file below the directory, and of none that git or a shell would run. Links are not followed:
 * the machine itself says what it can reach.
 */
export function isEditBelow(directory: string, path: string): boolean {
  const base = stepsOf(directory);
  const steps = stepsOf(path);
  const below = steps.slice(base.length);
  const inside = rootOf(directory) === rootOf(path) && base.every((step, index) => step === steps[index]);
  if (!inside || below.length === 0 || steps.includes('..')) return false;
  // Windows drops dots and spaces at the end of a name, and takes what stands behind a colon for a stream of the file.
  if (below.some(step => step.includes(':'))) return false;
  return !steps.some(step => RUNS.test(withoutTail(step))) && !isFish(steps);
}

/** A name without dots and spaces at its end. */
function withoutTail(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return name.slice(0, end);
}

/** The shell fish reads its files from a folder of their own. */
const isFish = (steps: readonly string[]): boolean => /(?:^|\n)\.config\nfish\n/i.test(steps.join('\n'));

const stepsOf = (path: string): string[] => path.split(/[/\\]/).filter(step => step !== '' && step !== '.');

/** `/`, `~`, a drive, or nothing. */
const rootOf = (path: string): string => /^(?:[/\\]|~|[a-z]:)?/i.exec(path)?.[0].toLowerCase() ?? '';
