/**
 * Parses large JSON in small steps, so that other work can run in between: JSON.parse would block the event loop for up
 * to a second (docs/decisions/0088). Small values are still parsed by JSON.parse, which also rejects what is not JSON.
 */
import { KernelError, MAX_STRING } from '@chat-kernel/protocol';
import { wellFormed } from '@chat-kernel/text';
import { StepClock, type Steps } from './steps.ts';

const [QUOTE, BACKSLASH, COMMA, COLON, LETTER_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Bytes of a long string that are decoded at once. */
const PIECE = 128 * 1024;
/** Bytes that are examined without looking at the time. */
const GLANCE = 64 * 1024;
/** Maximum length of a number in characters. */
const MAX_NUMBER = 1000;
/** Maximum length of a field name in bytes: V8 hashes longer names only by their length, so they would collide. */
const MAX_NAME = 10_000;
/** Maximum number of fields in one object: to list them takes V8 one piece of work, 40 ms for 100,000. */
const MAX_FIELDS = 10_000;

/** Parses a small body at once. Half a character, which only an escape can contain, becomes U+FFFD, as in large ones. */
export function parseSmallJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\\ud[89a-f]/i.test(text) ? wellFormed(value) : value;
}

/** @throws SyntaxError, and KernelError invalid_value for what is too long */
export const parseJson = (bytes: Buffer): Steps<unknown> => new Parser(bytes).parse();

interface Frame {
  into: unknown[] | Record<string, unknown>;
  /** The name of the next value in an object. */
  name: string;
  /** The number of names so far in an object. */
  fields: number;
}

class Parser {
  readonly #bytes: Buffer;
  readonly #clock = new StepClock();
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The containers are on a list, so that the steps need no recursion. */
  *parse(): Steps<unknown> {
    const bytes = this.#bytes;
    const open: Frame[] = [];
    for (;;) {
      if (this.#clock.isOver()) yield* this.#clock.pause();
      if (this.#isBlank()) yield* this.#skipBlanks();
      const first = bytes[this.#at];
      let value: unknown;
      if (first === OBJECT || first === ARRAY) {
        const into = first === OBJECT ? {} : [];
        this.#at += 1;
        if (this.#isBlank()) yield* this.#skipBlanks();
        if (bytes[this.#at] !== endOf(into)) {
          const frame = { into, name: '', fields: 1 };
          if (first === OBJECT) frame.name = yield* this.#name();
          open.push(frame);
          continue;
        }
        this.#at += 1;
        value = into;
      } else value = first === QUOTE ? yield* this.#string() : this.#scalar();
      // The value ends here, and perhaps those that contain it.
      for (;;) {
        if (this.#isBlank()) yield* this.#skipBlanks();
        const frame = open.at(-1);
        if (frame === undefined) {
          if (this.#at < bytes.length) throw new SyntaxError('more than one value');
          return value;
        }
        put(frame, value);
        const sign = bytes[this.#at++];
        if (sign === COMMA) {
          if (Array.isArray(frame.into)) break;
          if (this.#isBlank()) yield* this.#skipBlanks();
          frame.name = yield* this.#name();
          if (++frame.fields > MAX_FIELDS)
            throw tooLong(`An object has more than ${inWords(MAX_FIELDS)} fields`);
          break;
        }
        if (sign !== endOf(frame.into)) throw new SyntaxError('expected a comma or an end');
        value = frame.into;
        open.pop();
      }
    }
  }

  // Asked before the generator is called, which costs more.
  #isBlank(): boolean {
    return BLANKS.has(this.#bytes[this.#at] as number);
  }

  *#skipBlanks(): Steps<void> {
    while (this.#isBlank()) {
      this.#at += 1;
      if (this.#at % GLANCE === 0) yield* this.#clock.pause();
    }
  }

  *#name(): Steps<string> {
    if (this.#bytes[this.#at] !== QUOTE) throw new SyntaxError('expected a name');
    const from = this.#at;
    const name = yield* this.#string();
    if (this.#at - from - '""'.length > MAX_NAME)
      throw tooLong(`The name of a field has more than ${inWords(MAX_NAME)} bytes`);
    if (this.#isBlank()) yield* this.#skipBlanks();
    if (this.#bytes[this.#at++] !== COLON) throw new SyntaxError('expected a colon');
    return name;
  }

  /** A number, true, false or null; anything else is rejected. */
  #scalar(): unknown {
    const from = this.#at;
    while (isOfScalar(this.#bytes[this.#at]) && this.#at - from < MAX_NUMBER) this.#at += 1;
    return JSON.parse(this.#bytes.toString('latin1', from, this.#at));
  }

  *#string(): Steps<string> {
    const bytes = this.#bytes;
    const from = this.#at;
    for (let at = from + 1; ; ) {
      const end = Math.min(at + GLANCE, bytes.length);
      while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      if (at < end) {
        this.#at = at + 1;
        break;
      }
      if (at >= bytes.length) throw new SyntaxError('a string has no end');
      if (at - from > MAX_STRING) throw tooLong(`A text has more than ${inWords(MAX_STRING)} bytes`);
      yield* this.#clock.pause();
    }
    if (this.#at - from <= PIECE)
      return (JSON.parse(bytes.toString('utf8', from, this.#at)) as string).toWellFormed();
    let text = '';
    for (let at = from + 1; at < this.#at - 1; ) {
      const next = this.#boundary(at, this.#at - 1);
      text += JSON.parse(`"${bytes.toString('utf8', at, next)}"`);
      at = next;
      yield* this.#clock.pause();
    }
    return text.toWellFormed();
  }

  /** Returns the end of a piece of a string, which is neither inside an escape nor inside a character. */
  #boundary(from: number, end: number): number {
    const bytes = this.#bytes;
    const to = Math.min(from + PIECE, end);
    let at = from;
    while (at < to) {
      if (bytes[at] !== BACKSLASH) at += 1;
      else at += bytes[at + 1] === LETTER_U ? 6 : 2;
    }
    while (at < end && ((bytes[at] as number) & 0xc0) === 0x80) at += 1;
    return Math.min(at, end);
  }
}

const inWords = (limit: number): string => limit.toLocaleString('en-US');
const tooLong = (what: string): KernelError => new KernelError('invalid_value', `${what} in the body.`);

const endOf = (container: object): number => (Array.isArray(container) ? ARRAY_END : OBJECT_END);

function put({ into, name }: Frame, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  // An assignment would replace the prototype.
  else if (name === '__proto__')
    Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
  else into[name] = value;
}

/** Letters, digits, signs and the point. */
const isOfScalar = (byte: number | undefined): boolean =>
  byte !== undefined && byte > 0x20 && byte !== COMMA && byte !== ARRAY_END && byte !== OBJECT_END;
