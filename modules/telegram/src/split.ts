/** Splits long answers into messages that Telegram accepts, at natural boundaries. */
import { blocksOf } from '@chat-kernel/text/markdown';

/** The character limit of a message, after parsing entities. */
export const MAX_TEXT = 4096;
/** Reserve for characters that the HTML adds to the Markdown, such as list markers. */
const ROOM = 3800;
/** Characters of the line of a fence that is repeated in each piece. */
const MAX_FENCE_LINE = 200;

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

/** The source of each block, with long ones in pieces; joined, they are the text again. */
function* sources(markdown: string): Generator<string> {
  const found = blocksOf(markdown).map(({ token }) => token.raw);
  // If the parser changed the text, its blocks cannot be used for splitting.
  const whole = found.join('') === markdown ? found : [markdown];
  for (const raw of whole) {
    if (raw.length <= ROOM) yield raw;
    else yield* cut(raw);
  }
}

/**
 * Splits a block at line ends, otherwise at spaces; each piece of a code block keeps its fence. A long text in the line
 * of the fence is code.
 */
function* cut(raw: string): Generator<string> {
  // bounded: a longer fence would fill the pieces, so it is cut like text.
  const [begun, fence] = /^ {0,3}(`{3,100}(?!`)|~{3,100}(?!~))/.exec(raw) ?? [];
  const line = raw.indexOf('\n') + 1;
  const isShort = line > 0 && line <= MAX_FENCE_LINE;
  const head = fence === undefined ? '' : isShort ? raw.slice(0, line) : `${begun}\n`;
  const sign = fence === undefined ? '' : `\n${fence}\n`;
  let rest = raw.slice(isShort ? head.length : (begun ?? '').length);
  if (fence !== undefined) rest = rest.replace(/\n {0,3}(?:`{3,}|~{3,})\s*$/, '');
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
