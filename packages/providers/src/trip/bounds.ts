/**
 * The bounds of what a provider may send (SAFE-3). Each acts on what comes, before it is gathered: a line without an end
 * costs no more memory than its bound.
 */
import { ModelError } from '@chat-kernel/kernel';
import { MOST_INPUT_LEVELS, MOST_LEVELS, NestingMeter } from '@chat-kernel/protocol';

const MIB = 1024 * 1024;
/** Bytes of a line, and of an event that has several. */
const MOST_LINE_BYTES = 8 * MIB;
/** Bytes of an answer in all. */
const MOST_REPLY_BYTES = 64 * MIB;
/** Bytes of the arguments of one call. */
const MOST_INPUT_BYTES = MIB;
/** Calls of one answer, which are one step. */
const MOST_CALLS = 128;
/** Bytes of a refusal, or of a list of models, that are read. */
export const MOST_REFUSAL_BYTES = MIB / 4;
export const MOST_LIST_BYTES = 8 * MIB;

const TOO_LONG_INPUT = 'a call whose arguments are more than 1 MiB';
export const TOO_DEEP_INPUT = `a call whose arguments are nested more than ${MOST_INPUT_LEVELS} levels deep`;
const TOO_MANY_CALLS = `more than ${MOST_CALLS} calls in one step`;

/** The end of a trip whose provider sent too much. The same request would most likely bring the same, so it is no retry. */
export const overBound = (provider: string, what: string): ModelError =>
  new ModelError('upstream_error', `${provider} sent ${what}.`, false);

/** Counts the calls of one answer, and the bytes of their arguments, as they come. */
export class CallBounds {
  readonly #provider: string;
  readonly #bytes = new Map<unknown, number>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** @param call whatever tells one call of the answer from another @throws ModelError */
  add(call: unknown, text: string): void {
    const bytes = (this.#bytes.get(call) ?? 0) + Buffer.byteLength(text);
    if (bytes > MOST_INPUT_BYTES) throw overBound(this.#provider, TOO_LONG_INPUT);
    this.#bytes.set(call, bytes);
    if (this.#bytes.size > MOST_CALLS) throw overBound(this.#provider, TOO_MANY_CALLS);
  }
}

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
const NEAR_BYTES = 512;

/**
 * The gate through which the bytes of an answer come. It lets an event stream pass in whole lines that all end in \n,
 * because parsers look through the beginning of a line again and again while its end is missing, and through all that
 * follows for each \r. Other bodies pass as they come.
 */
export class AnswerGate {
  readonly #provider: string;
  readonly #isEventStream: boolean;
  readonly #nesting = new NestingMeter(MOST_LEVELS);
  #bytes = 0;
  #lineBytes = 0;
  /** The bytes since the last empty line. */
  #eventBytes = 0;
  #afterCr = false;
  /** The beginning of a line, and free space behind it: doubling keeps even tiny pieces cheap. */
  #begun = NOTHING;
  #begunBytes = 0;

  constructor(provider: string, isEventStream: boolean) {
    this.#provider = provider;
    this.#isEventStream = isEventStream;
  }

  /** Takes bytes; returns those that may pass, which may be none. @throws ModelError */
  take(bytes: Uint8Array): Uint8Array {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_REPLY_BYTES) throw overBound(this.#provider, 'a reply of more than 64 MiB');
    const lines = this.#isEventStream ? this.#withoutCr(bytes) : bytes;
    const end = this.#measure(lines);
    if (!this.#isEventStream) return lines;
    const whole = end > 0 ? this.#behindBegun(lines.subarray(0, end)) : NOTHING;
    if (end < lines.length) this.#begin(lines.subarray(end));
    return whole;
  }

  /** The beginning of a line whose end never came. */
  rest(): Uint8Array {
    return this.#behindBegun(NOTHING);
  }

  /** Takes out the line that was begun, with these bytes behind it. */
  #behindBegun(bytes: Uint8Array): Uint8Array {
    if (this.#begunBytes === 0) return bytes;
    this.#begin(bytes);
    const whole = this.#begun.subarray(0, this.#begunBytes);
    this.#begun = NOTHING;
    this.#begunBytes = 0;
    return whole;
  }

  #begin(bytes: Uint8Array): void {
    const length = this.#begunBytes + bytes.length;
    if (length > this.#begun.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#begun.length));
      this.#begun.copy(grown, 0, 0, this.#begunBytes);
      this.#begun = grown;
    }
    this.#begun.set(bytes, this.#begunBytes);
    this.#begunBytes = length;
  }

  /** Measures lines, events and nesting; returns the place behind the last \n. */
  #measure(bytes: Uint8Array): number {
    let start = 0;
    for (let end = lineEnd(bytes, 0); end !== -1; end = lineEnd(bytes, start)) {
      if (end > start) this.#grow(bytes, start, end);
      // Only an empty line ends an event; other bodies have no events, and a line of theirs is measured alone.
      if (this.#lineBytes === 0 || !this.#isEventStream) this.#eventBytes = 0;
      if (this.#lineBytes === 0 && this.#isEventStream) this.#nesting.reset();
      this.#lineBytes = 0;
      start = end + 1;
    }
    if (start < bytes.length) this.#grow(bytes, start, bytes.length);
    return start;
  }

  #grow(bytes: Uint8Array, from: number, to: number): void {
    this.#lineBytes += to - from;
    this.#eventBytes += to - from;
    if (this.#lineBytes > MOST_LINE_BYTES) throw overBound(this.#provider, 'a line of more than 8 MiB');
    if (this.#eventBytes > MOST_LINE_BYTES) throw overBound(this.#provider, 'an event of more than 8 MiB');
    if (this.#nesting.isTooDeep(bytes, from, to)) {
      throw overBound(this.#provider, `JSON nested more than ${MOST_LEVELS} levels deep`);
    }
  }

  /** The bytes, in their own place, with \n for \r and \r\n, of which the second half may come with the next bytes. */
  #withoutCr(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0 || (!this.#afterCr && bytes.indexOf(CR) === -1)) return bytes;
    let length = 0;
    let afterCr = this.#afterCr;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (!(afterCr && byte === LF)) bytes[length++] = byte === CR ? LF : byte;
      afterCr = byte === CR;
    }
    this.#afterCr = afterCr;
    return bytes.subarray(0, length);
  }
}

/** The gate of audio, whose bytes are no text: they pass as they come, up to the bound of an answer. */
export class AudioGate {
  readonly #provider: string;
  #bytes = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** @throws ModelError */
  take(bytes: Uint8Array): Uint8Array {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_REPLY_BYTES) throw overBound(this.#provider, 'a reply of more than 64 MiB');
    return bytes;
  }

  rest(): Uint8Array {
    return NOTHING;
  }
}

/** The place of the next \n; -1 where there is none. A token's line ends soon, and to call a search costs more than that. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR_BYTES, bytes.length);
  for (let at = from; at < near; at++) if (bytes[at] === LF) return at;
  return near < bytes.length ? bytes.indexOf(LF, near) : -1;
}

/** The beginning of a body, up to this many bytes; what follows is not read. */
export function beginningOf(body: ReadableStream<Uint8Array>, mostBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = mostBytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (value) controller.enqueue(value.subarray(0, left));
        left -= value?.length ?? 0;
        if (done) controller.close();
        else if (left <= 0) {
          controller.close();
          await reader.cancel();
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
