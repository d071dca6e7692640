/**
 * Limits what a provider may send (SAFE-3). Each limit applies to incoming bytes before they are collected: an endless
 * line takes no more memory than its limit.
 */
import { ModelError } from '@chat-kernel/kernel';
import { MAX_INPUT_LEVELS, MAX_LEVELS, NestingMeter } from '@chat-kernel/protocol';

const MIB = 1024 * 1024;
/** Bytes of a line, and of a multi-line event. */
const MAX_LINE_BYTES = 8 * MIB;
/** Total bytes of a response. */
const MAX_REPLY_BYTES = 64 * MIB;
/** Bytes of the arguments of one call. */
const MAX_INPUT_BYTES = MIB;
/** Calls of one response, which are one step. */
const MAX_CALLS = 128;
/** Maximum bytes read of a refusal, or of a list of models. */
export const MAX_REFUSAL_BYTES = MIB / 4;
export const MAX_LIST_BYTES = 8 * MIB;

const TOO_LONG_INPUT = 'a call whose arguments are more than 1 MiB';
export const TOO_DEEP_INPUT = `a call whose arguments are nested more than ${MAX_INPUT_LEVELS} levels deep`;
const TOO_MANY_CALLS = `more than ${MAX_CALLS} calls in one step`;

/** Thrown when a response exceeds its limits. Not retryable: the same request would probably return the same. */
export const overBound = (provider: string, what: string): ModelError =>
  new ModelError('upstream_error', `${provider} sent ${what}.`, false);

/** Counts the calls of one response, and the bytes of their arguments, as they arrive. */
export class CallBounds {
  readonly #provider: string;
  readonly #bytes = new Map<unknown, number>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** @param call a key that identifies the call within the response @throws ModelError */
  add(call: unknown, text: string): void {
    const bytes = (this.#bytes.get(call) ?? 0) + Buffer.byteLength(text);
    if (bytes > MAX_INPUT_BYTES) throw overBound(this.#provider, TOO_LONG_INPUT);
    this.#bytes.set(call, bytes);
    if (this.#bytes.size > MAX_CALLS) throw overBound(this.#provider, TOO_MANY_CALLS);
  }
}

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
const NEAR_BYTES = 512;

/**
 * The gate for the bytes of a response. It passes an event stream in complete lines that all end in \n, because parsers
 * search the beginning of an unfinished line again and again, and the whole rest for each \r. Other bodies pass
 * unchanged.
 */
export class AnswerGate {
  readonly #provider: string;
  readonly #isEventStream: boolean;
  readonly #nesting = new NestingMeter(MAX_LEVELS);
  #bytes = 0;
  #lineBytes = 0;
  /** The bytes since the last empty line. */
  #eventBytes = 0;
  #afterCr = false;
  /** The beginning of a line with free space after it: doubling keeps even tiny pieces cheap. */
  #begun = NOTHING;
  #begunBytes = 0;

  constructor(provider: string, isEventStream: boolean) {
    this.#provider = provider;
    this.#isEventStream = isEventStream;
  }

  /** Accepts bytes and returns those that may pass, possibly none. @throws ModelError */
  take(bytes: Uint8Array): Uint8Array {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_REPLY_BYTES) throw overBound(this.#provider, 'a reply of more than 64 MiB');
    const lines = this.#isEventStream ? this.#withoutCr(bytes) : bytes;
    const end = this.#measure(lines);
    if (!this.#isEventStream) return lines;
    const whole = end > 0 ? this.#behindBegun(lines.subarray(0, end)) : NOTHING;
    if (end < lines.length) this.#begin(lines.subarray(end));
    return whole;
  }

  /** Returns an unfinished last line. */
  rest(): Uint8Array {
    return this.#behindBegun(NOTHING);
  }

  /** Removes and returns the unfinished line, with these bytes appended. */
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

  /** Measures lines, events and nesting; returns the position after the last \n. */
  #measure(bytes: Uint8Array): number {
    let start = 0;
    for (let end = lineEnd(bytes, 0); end !== -1; end = lineEnd(bytes, start)) {
      if (end > start) this.#grow(bytes, start, end);
      // Only an empty line ends an event. Other bodies have no events, so only their lines are measured.
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
    if (this.#lineBytes > MAX_LINE_BYTES) throw overBound(this.#provider, 'a line of more than 8 MiB');
    if (this.#eventBytes > MAX_LINE_BYTES) throw overBound(this.#provider, 'an event of more than 8 MiB');
    if (this.#nesting.isTooDeep(bytes, from, to)) {
      throw overBound(this.#provider, `JSON nested more than ${MAX_LEVELS} levels deep`);
    }
  }

  /** Converts \r and \r\n to \n in place. The second half of a \r\n may arrive with the next bytes. */
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

/** The gate for audio: bytes pass unchanged, up to the limit of a response. */
export class AudioGate {
  readonly #provider: string;
  #bytes = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** @throws ModelError */
  take(bytes: Uint8Array): Uint8Array {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_REPLY_BYTES) throw overBound(this.#provider, 'a reply of more than 64 MiB');
    return bytes;
  }

  rest(): Uint8Array {
    return NOTHING;
  }
}

/**
 * Returns the position of the next \n, or -1. The line of a token is short, and calling a search function costs more
 * than this loop.
 */
function lineEnd(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR_BYTES, bytes.length);
  for (let at = from; at < near; at++) if (bytes[at] === LF) return at;
  return near < bytes.length ? bytes.indexOf(LF, near) : -1;
}

/** Returns the beginning of a body, up to this many bytes; the rest is not read. */
export function truncateBody(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): ReadableStream<Uint8Array> {
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
