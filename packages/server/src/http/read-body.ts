/** Reads the bytes of a JSON body, and measures them as they arrive: no work is left for the end (SAFE-7). */
import type { Readable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { KernelError, MAX_LEVELS, NestingMeter } from '@chat-kernel/protocol';
import { STEP_MS } from './steps.ts';

/** Bytes of a JSON body. Routes that accept bytes have their own limits. */
export const BODY_LIMIT = 64 * 1024 * 1024;
/** Maximum number of values in a JSON body, unless a route has another limit. */
export const MAX_VALUES = 100_000;

/** The size to begin with; a client that only announces a large body gets no more. */
const FIRST_BYTES = 1024 * 1024;
/** Bytes of one chunk that are measured at once: a stream inside this process can have any chunk. */
const PIECE = 1024 * 1024;

/**
 * @param announced by Content-Length; NaN if unknown
 * @param onPiece gets the bytes as they arrive, in pieces
 * @throws KernelError body_too_large, not_json, invalid_value
 */
export async function readMeasured(
  stream: Readable,
  announced: number,
  maxValues: number,
  onPiece?: (piece: Buffer) => void,
): Promise<Buffer> {
  if (announced > BODY_LIMIT) throw tooLarge();
  const body = new MeasuredBody(announced, maxValues, onPiece);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let adding = Promise.resolve();
  let spent = 0;
  const onData = (chunk: Buffer) => {
    if (chunk.length <= PIECE) {
      const began = performance.now();
      body.add(chunk);
      spent += performance.now() - began;
      // A socket delivers up to 2 MB at once.
      if (spent > STEP_MS) {
        spent = 0;
        void pause(stream);
      }
    } else {
      stream.pause();
      adding = addInPieces(body, chunk).then(() => void stream.resume());
    }
    if (body.isTooLarge) reject(tooLarge());
  };
  const onClose = () => {
    // A stream that has ended is closed, too.
    if (stream.readableEnded) return;
    reject(new KernelError('invalid_value', 'The connection was closed before the end of the body.'));
  };
  // Not an async iterator, which leaves the stream in a state in which the rest of the body cannot be dropped.
  stream.on('data', onData).once('end', resolve).once('error', onClose).once('close', onClose);
  if (stream.readableEnded) resolve();
  else if (stream.destroyed) onClose();
  try {
    await promise;
    // A stream can end while it is paused.
    await adding;
  } finally {
    stream.off('data', onData).off('end', resolve).off('error', onClose).off('close', onClose);
  }
  return body.end();
}

/** Lets other work run before the next chunk. */
async function pause(stream: Readable): Promise<void> {
  stream.pause();
  await nextTick();
  stream.resume();
}

async function addInPieces(body: MeasuredBody, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; at += PIECE) {
    if (at > 0) await nextTick();
    body.add(chunk.subarray(at, at + PIECE));
  }
}

class MeasuredBody {
  readonly #announced: number;
  readonly #maxValues: number;
  readonly #onPiece: ((piece: Buffer) => void) | undefined;
  readonly #meter = new NestingMeter(MAX_LEVELS);
  #bytes: Buffer;
  #size = 0;
  /** The rest is dropped. A client that is still sending may not receive an answer, so the error waits for the end. */
  #error: KernelError | undefined;

  constructor(announced: number, maxValues: number, onPiece?: (piece: Buffer) => void) {
    this.#announced = announced;
    this.#maxValues = maxValues;
    this.#onPiece = onPiece;
    this.#bytes = Buffer.allocUnsafe(
      Math.min(Number.isNaN(announced) ? FIRST_BYTES : announced, FIRST_BYTES),
    );
  }

  get isTooLarge(): boolean {
    return this.#size > BODY_LIMIT;
  }

  add(piece: Buffer): void {
    const from = this.#size;
    this.#size += piece.length;
    this.#error ??= this.#measure(piece);
    if (this.#error || this.isTooLarge) return;
    if (this.#size > this.#bytes.length) this.#grow(from);
    piece.copy(this.#bytes, from);
    this.#onPiece?.(piece);
  }

  #measure(piece: Buffer): KernelError | undefined {
    if (this.#meter.isTooDeep(piece))
      return new KernelError('invalid_value', `The body is nested more than ${MAX_LEVELS} levels deep.`);
    if (this.#meter.values <= this.#maxValues) return undefined;
    const most = this.#maxValues.toLocaleString('en-US');
    return new KernelError('invalid_value', `The body contains more than ${most} values.`);
  }

  #grow(filled: number): void {
    const room = Math.max(this.#announced || 0, 2 * (this.#bytes.length + PIECE));
    const bytes = Buffer.allocUnsafeSlow(room);
    this.#bytes.copy(bytes, 0, 0, filled);
    this.#bytes = bytes;
  }

  end(): Buffer {
    if (this.isTooLarge) throw tooLarge();
    if (this.#error) throw this.#error;
    if (!Number.isNaN(this.#announced) && this.#size !== this.#announced)
      throw new KernelError('not_json', 'The length of the body differs from Content-Length.');
    return this.#bytes.subarray(0, this.#size);
  }
}

const tooLarge = (): KernelError => new KernelError('body_too_large', 'The JSON body is larger than 64 MiB.');
