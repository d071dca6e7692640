/** Small decisions about words. */

/** The first line of a text, cut to a length. */
export function firstLine(text: string, length = 120): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** The sentence of an error, for people. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'BrokenLine' ? 'The kernel does not answer.' : error.message;
}

/** Class names, without those that do not hold. */
export const classes = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');
