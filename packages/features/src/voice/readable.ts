/**
 * Extracts the readable text of Markdown for speech. Omits code, which makes no sense when read aloud; keeps the text
 * of a link, the host of an address, and the cells of a table row.
 */

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** A separator line of a table, or a horizontal rule. */
const RULE = /^[\s|:=*_-]+$/;
const BLOCK_MARKS = /^\s*(?:>\s?){0,8}(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/;

/** Returns the text in paragraphs; empty if there is none. */
export function readable(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    lines.push(RULE.test(line) ? '' : toSpokenLine(line));
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function toSpokenLine(line: string): string {
  const bare = line.replace(BLOCK_MARKS, '').trim();
  const cells = bare.startsWith('|') ? bare.split('|').map(cell => cell.trim()) : [bare];
  return cells
    .filter(cell => cell !== '')
    .map(inline)
    .join(', ');
}

const inline = (text: string): string =>
  text
    // bounded: by their quantifiers.
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"]{0,200}")?\)/g, '$1')
    .replace(/<?\bhttps?:\/\/([^\s/?#<>]{1,255})[^\s)<>]{0,2000}>?/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, '')
    .replace(/`+/g, '')
    .replace(/\*\*|__|~~/g, '')
    .replace(/(^|[\s(])[*_](?=\S)/g, '$1')
    .replace(/(\S)[*_](?=[\s).,:;!?]|$)/g, '$1');
