/** Long texts are told in parts, which end where a paragraph or a line does. */

/** About five thousand tokens. */
const PART_CHARS = 20_000;

/** The parts of a text; they make the text again. An empty text has one part. */
export function partsOf(text: string, most = PART_CHARS): string[] {
  const parts: string[] = [];
  let from = 0;
  do {
    const to = text.length - from <= most ? text.length : from + endWithin(text.slice(from, from + most));
    parts.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return parts;
}

/** Behind the last paragraph, line or word of the second half, else at the end, and never within a character. */
function endWithin(piece: string): number {
  for (const end of ['\n\n', '\n', ' ']) {
    const at = piece.lastIndexOf(end);
    if (at > piece.length / 2) return at + end.length;
  }
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length;
}
