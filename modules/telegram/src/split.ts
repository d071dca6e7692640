/** Long answers as messages that Telegram takes, cut where a reader would cut them. */
import { blocksOf } from '@chat-kernel/markdown';

/** Characters of a message, after its entities. */
export const MAX_TEXT = 4096;
/** Room for what the HTML shows more than the Markdown did, such as the marks of a list. */
const ROOM = 3800;

/** Returns pieces of Markdown, each of which fits a message, as it is written as well as drawn. */
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

/** The source of each block, long ones in pieces; together they are the text. */
function* sources(markdown: string): Generator<string> {
  const found = blocksOf(markdown).map(({ token }) => token.raw);
  // What the parser has changed cannot be cut by its blocks.
  const whole = found.join('') === markdown ? found : [markdown];
  for (const raw of whole) {
    if (raw.length <= ROOM) yield raw;
    else yield* cut(raw);
  }
}

/** Cuts a block at line ends, else at blanks; each piece of code keeps its fence. */
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
  // Between the halves of a character there is no place.
  const code = text.charCodeAt(room - 1);
  return code >= 0xd800 && code < 0xdc00 ? room - 1 : room;
}
