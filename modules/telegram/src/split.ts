/** Splits long answers into messages that Telegram accepts, at natural boundaries. */
import { blocksOf } from '@chat-kernel/text/markdown';

/** The character limit of a message, after parsing entities. */
export const MAX_TEXT = 4096;
/** Reserve for characters that the HTML adds to the Markdown, such as list markers. */
const ROOM = 3800;

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

/** Splits a block at line ends, otherwise at spaces; each piece of a code block keeps its fence. */
function* cut(raw: string): Generator<string> {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  const [head, sign] = fence ? [raw.slice(0, raw.indexOf('\n') + 1), `\n${fence}\n`] : ['', ''];
  let rest = fence ? raw.slice(head.length).replace(/\n {0,3}(?:`{3,}|~{3,})\s*$/, '') : raw;
  const room = ROOM - head.length - sign.length;
  while (rest.length > room) {
    const to = placeToCut(rest, room);
    yield head + rest.slice(0, to) + sign;
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
