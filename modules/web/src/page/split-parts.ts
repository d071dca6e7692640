/** Splits long texts into parts at paragraph or line ends. */

/** About 5,000 tokens. */
const PART_CHARS = 20_000;

/** Splits a text into parts; joined, they are the text again. An empty text has one part. */
export function splitParts(text: string, most = PART_CHARS): string[] {
  const parts: string[] = [];
  let from = 0;
  do {
    const to = text.length - from <= most ? text.length : from + endWithin(text.slice(from, from + most));
    parts.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return parts;
}

/**
 * Splits after the last paragraph, line or word in the second half, otherwise at the end, but never inside a character.
 */
function endWithin(piece: string): number {
  for (const end of ['\n\n', '\n', ' ']) {
    const at = piece.lastIndexOf(end);
    if (at > piece.length / 2) return at + end.length;
  }
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length;
}
