/**
 * What a voice reads of a text in Markdown: its words. Code is left out, for read letter by letter it says nothing; a link
 * is its text, an address its host, a row of a table its cells.
 */

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** A line of a table that only rules it, or a line across the page. */
const RULE = /^[\s|:=*_-]+$/;
const BLOCK_MARKS = /^\s*(?:>\s?){0,8}(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/;

/** Returns the words, in paragraphs; empty where there are none. */
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
    lines.push(RULE.test(line) ? '' : wordsOf(line));
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function wordsOf(line: string): string {
  const bare = line.replace(BLOCK_MARKS, '').trim();
  const cells = bare.startsWith('|') ? bare.split('|').map(cell => cell.trim()) : [bare];
  return cells
    .filter(cell => cell !== '')
    .map(inline)
    .join(', ');
}

const inline = (text: string): string =>
  text
    // bounded: by the lengths that they take.
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"]{0,200}")?\)/g, '$1')
    .replace(/<?\bhttps?:\/\/([^\s/?#<>]{1,255})[^\s)<>]{0,2000}>?/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, '')
    .replace(/`+/g, '')
    .replace(/\*\*|__|~~/g, '')
    .replace(/(^|[\s(])[*_](?=\S)/g, '$1')
    .replace(/(\S)[*_](?=[\s).,:;!?]|$)/g, '$1');
