/** Splits long answers into messages that Telegram accepts, at natural boundaries. */

/** The character limit of a message, after parsing entities. */
export const MAX_TEXT = 4096;
/** Reserve for characters that the HTML adds to the Markdown, such as list markers. */
const ROOM = 3800;
/** Characters of the line of a fence that is repeated in each piece. */
const MAX_FENCE_LINE = 200;
/** Begins code. bounded: a longer fence would fill the pieces, so it is cut like text. */
const FENCE = /^( *)(`{3,100}(?![^\n]*`)|~{3,100}(?!~))/;

/** Returns pieces of Markdown that each fit a message, both as source and as rendered text. */
export function split(markdown: string): string[] {
  const pieces: string[] = [];
  let open = '';
  for (const block of sources(markdown.trim())) {
    if (open !== '' && open.length + block.length > ROOM) {
      pieces.push(open);
      open = '';
    }
    open += block;
  }
  pieces.push(open);
  return pieces.map(piece => piece.replace(/^\n+/, '').trimEnd()).filter(piece => piece.trim() !== '');
}

/**
 * The source of each block: a code block, or lines up to an empty one. Long ones in pieces. The blocks of the Markdown
 * parser have no source that joins to the text again.
 */
function* sources(markdown: string): Generator<string> {
  let block = '';
  let closing: RegExp | null = null;
  for (const line of markdown.split(/(?<=\n)/)) {
    const [, indent = '', fence]: string[] = (closing === null && FENCE.exec(line)) || [];
    if (fence !== undefined) {
      yield* fitting(block);
      block = '';
      closing = new RegExp(`^ {0,${indent.length + 3}}${fence[0]}{${fence.length},}\\s*$`);
    }
    block += line;
    if (closing === null ? line.trim() !== '' : fence !== undefined || !closing.test(line)) continue;
    yield* fitting(block);
    block = '';
    closing = null;
  }
  yield* fitting(block);
}

/**
 * The block, or if it is too long, pieces of it, cut at line ends or otherwise at spaces; each piece of a code block
 * keeps its fence. A long text in the line of the fence is code.
 */
function* fitting(block: string): Generator<string> {
  if (block.length <= ROOM) {
    yield block;
    return;
  }
  const [begun = '', , fence] = FENCE.exec(block) ?? [];
  const line = block.indexOf('\n') + 1;
  const isShort = line > 0 && line <= MAX_FENCE_LINE;
  // In a list the code is indented; in a message of its own, the fence must not be.
  const head = fence === undefined ? '' : isShort ? block.slice(0, line).trimStart() : `${fence}\n`;
  const sign = fence === undefined ? '' : `\n${fence}\n`;
  let rest = fence !== undefined && isShort ? block.slice(line) : block.slice(begun.length);
  if (fence !== undefined) rest = rest.replace(/\n *(?:`{3,}|~{3,})\s*$/, '');
  const room = ROOM - head.length - sign.length;
  while (rest.length > room) {
    const to = placeToCut(rest, room);
    const piece = rest.slice(0, to);
    yield head + (sign ? piece.replace(/\n$/, '') : piece) + sign;
    rest = rest.slice(to);
  }
  yield head + rest + sign;
}

function placeToCut(text: string, room: number): number {
  for (const sign of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(sign, room - sign.length);
    if (at > room / 2) return at + sign.length;
  }
  // Do not split a surrogate pair.
  const code = text.charCodeAt(room - 1);
  return code >= 0xd800 && code < 0xdc00 ? room - 1 : room;
}
