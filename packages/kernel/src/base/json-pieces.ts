/** Writes long JSON in pieces, and lets the event loop run in between: it must not be blocked for 50 ms (SAFE-7). */
import { setImmediate as nextTick } from 'node:timers/promises';

/** Characters of a piece. */
const PIECE = 256 * 1024;

/** Yields the text of JSON.stringify(value) in pieces. @param value what JSON.parse could have returned, or undefined fields */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  if (charactersIn(value) <= PIECE) {
    yield JSON.stringify(value);
    return;
  }
  let waiting = '';
  for (const piece of piecesOf(value)) {
    waiting += piece;
    if (waiting.length < PIECE) continue;
    yield waiting;
    waiting = '';
    await nextTick();
  }
  yield waiting;
}

/** The pieces of a text at which it can be cut: no character is divided. */
export function* textPieces(text: string, length = PIECE): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + length, text.length);
    // Not between the halves of a surrogate pair.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** The number of characters in the names and strings of a value, or some number above PIECE. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const [name, part] of Object.entries(value)) {
    count += name.length + charactersIn(part);
    if (count > PIECE) break;
  }
  return count;
}

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > PIECE) {
    yield '"';
    for (const piece of textPieces(value)) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  } else if (Array.isArray(value)) {
    let sign = '[';
    for (const element of value) {
      yield sign;
      yield* piecesOf(element ?? null);
      sign = ',';
    }
    yield sign === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let sign = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${sign}${JSON.stringify(name)}:`;
      yield* piecesOf(field);
      sign = ',';
    }
    yield sign === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}
