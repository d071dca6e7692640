/**
 * Extracts the new text of a reply. Removes only the quoted history at the end and the line that introduces it. Inline quotes
 * stay, because they show what a paragraph answers.
 */

/** The lines after which mail clients insert the complete email that a reply answers. */
const DIVIDER =
  /^\s*-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}\s*$/i;
/** The lines after which they insert an email that is forwarded: it is the message. The second as Apple Mail writes them. */
const FORWARDED =
  /^\s*(?:-{2,}\s*(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado)\s*-{2,}|(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado)\s?:)\s*$/i;
/** The marks of forwarded emails, also in German, French and Spanish. */
const FORWARDED_SUBJECT = /^\s*(?:fwd?|wg|tr|rv):/i;
/** As in "On Monday Ann wrote:". */
const INTRODUCTION = /:\s*$/;

/**
 * Returns the text without quoted history. An email that is only a quote, or that forwards another one, is returned
 * unchanged.
 */
export function withoutQuotes(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.some(line => FORWARDED.test(line))) return text.trim();
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
