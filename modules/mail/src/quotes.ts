/**
 * Extracts the new text of a reply. Removes only the quoted history at the end and the line that introduces it. Inline quotes
 * stay, because they show what a paragraph answers.
 */

/** The lines after which mail clients insert the complete original email. */
const DIVIDER =
  /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine)\s*-{2,}\s*$/i;
/** As Apple Mail introduces a forwarded email. */
const FORWARDED = /^\s*begin forwarded message:/i;
/** The marks of forwarded emails, also in German, French and Spanish. */
const FORWARDED_SUBJECT = /^\s*(?:fwd?|wg|tr|rv):/i;
/** As in "On Monday Ann wrote:". */
const INTRODUCTION = /:\s*$/;

/** Returns the text without quoted history. An email that is only a quote is returned unchanged. */
export function withoutQuotes(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const divider = lines.findIndex(line => DIVIDER.test(line));
  const above = divider > 0 ? lines.slice(0, divider) : lines;
  const own = withoutLastQuote(above).join('\n').trim();
  return own === '' ? text.trim() : own;
}

/** Whether other people than the sender may have written parts of an email. @param text without quoted history */
export const quotesOthers = (subject: string, text: string): boolean =>
  FORWARDED_SUBJECT.test(subject) ||
  text.split('\n').some(line => isQuote(line) || DIVIDER.test(line) || FORWARDED.test(line));

function withoutLastQuote(lines: readonly string[]): readonly string[] {
  let end = endOfText(lines, lines.length);
  if (!isQuote(lines[end - 1])) return lines;
  while (end > 0 && (isQuote(lines[end - 1]) || lines[end - 1]?.trim() === '')) end--;
  // Long introductions are wrapped into two lines.
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
