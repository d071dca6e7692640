/**
 * What is new in a reply. The rule is a cautious one: the quoted history at the end goes, with the line that introduces it;
 * quotes between which somebody has written stay, for they say what is answered.
 */

/** Lines behind which mail programs put the whole mail that is answered. */
const DIVIDER =
  /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine)\s*-{2,}\s*$/i;
/** As in "On Monday Ann wrote:". */
const INTRODUCTION = /:\s*$/;

/** The text without what it only repeats. A mail that is nothing but a quote is left as it is. */
export function withoutQuotes(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const divider = lines.findIndex(line => DIVIDER.test(line));
  const above = divider > 0 ? lines.slice(0, divider) : lines;
  const own = withoutLastQuote(above).join('\n').trim();
  return own === '' ? text.trim() : own;
}

function withoutLastQuote(lines: readonly string[]): readonly string[] {
  let end = endOfText(lines, lines.length);
  if (!isQuote(lines[end - 1])) return lines;
  while (end > 0 && (isQuote(lines[end - 1]) || lines[end - 1]?.trim() === '')) end--;
  // Long introductions are broken in two.
  for (let count = 1; count <= 2; count++) {
    const introduction = lines.slice(Math.max(0, end - count), end).join(' ');
    if (INTRODUCTION.test(introduction) && /\d/.test(introduction)) return lines.slice(0, end - count);
  }
  return lines.slice(0, end);
}

function endOfText(lines: readonly string[], from: number): number {
  let end = from;
  while (end > 0 && lines[end - 1]?.trim() === '') end--;
  return end;
}

const isQuote = (line = ''): boolean => line.startsWith('>');
