/**
 * The other end of a stream of lines. It may say anything, at any pace, or nothing at all: what is asked of it ends
 * exactly once, and what it says unasked costs only so much.
 */
import type { Readable, Writable } from 'node:stream';
import type { Clock, Log } from '@chat-kernel/kernel';
import { MAX_LINE_BYTES } from '@chat-kernel/protocol';
import { Allowance } from '../../pace/rate-limiter.ts';
import { LinkLost, NotSent, TimedOut } from '../../jsonrpc/failures.ts';
import { LineSplitter, LineTooLong } from '../../jsonrpc/lines.ts';
import { INVALID_REQUEST, METHOD_NOT_FOUND, type Outcome, PARSE_ERROR, readMessage } from '../../jsonrpc/message.ts';

/** Bytes that may wait for the other side to read them. */
const MAX_WAITING_BYTES = 2 * MAX_LINE_BYTES;
/** What is said unasked is weighed: one for each message, and one for each so many bytes of it. */
const UNASKED_PER_SECOND = 2000;
const BYTES_PER_WEIGHT = 8192;
/** Errors that are answered to lines that nobody understands. */
const ERRORS_PER_SECOND = 5;

const MISTAKES = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid Request',
  [METHOD_NOT_FOUND]: 'Method not found',
} as const;

export interface PeerOptions {
  readable: Readable;
  writable: Writable;
  clock: Clock;
  log: Log;
  /** How the log calls the other side. */
  name: string;
  onNotification(method: string, params: unknown): void;
}

export interface PeerEnd {
  /** As the rest of a sentence about the module. */
  reason: string;
  /** The other side ended it, or the connection broke. */
  left: boolean;
}

interface OpenCall {
  settle(outcome: Outcome): void;
}

export class Peer {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #name: string;
  readonly #onNotification: PeerOptions['onNotification'];
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  readonly #unasked: Allowance;
  readonly #errors: Allowance;
  readonly #ended = Promise.withResolvers<PeerEnd>();
  readonly #open = new Map<number, OpenCall>();
  #lastId = 0;
  /** Why it is over; undefined while it is not. */
  #over: string | undefined;
  /** Why it ends with its last open call. */
  #retiring: string | undefined;
  #complained = false;

  constructor({ readable, writable, clock, log, name, onNotification }: PeerOptions) {
    this.#readable = readable;
    this.#writable = writable;
    this.#clock = clock;
    this.#log = log;
    this.#name = name;
    this.#onNotification = onNotification;
    this.#unasked = new Allowance(UNASKED_PER_SECOND, clock);
    this.#errors = new Allowance(ERRORS_PER_SECOND, clock);
    const gone = () => this.#end({ reason: 'the connection ended', left: true });
    for (const stream of new Set([readable, writable])) {
      stream.on('error', error =>
        this.#end({ reason: `the connection broke: ${error.message}`, left: true }),
      );
      stream.on('close', gone);
    }
    readable.on('end', gone);
    readable.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** Settles when the connection is over. */
  get ended(): Promise<PeerEnd> {
    return this.#ended.promise;
  }

  /**
   * Calls a method; answers its result, of any shape. Without an answer it ends after `timeoutMs`, with the signal, or
   * with the connection. @throws RpcError, TimedOut, LinkLost, NotSent, or the reason of the signal
   */
  call(method: string, params: unknown, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const cancelTimer = this.#clock.after(timeoutMs, () => settle({ error: new TimedOut(timeoutMs) }));
    const abort = () => settle({ error: signal?.reason });
    const settle = (outcome: Outcome) => {
      if (!this.#open.delete(id)) return;
      cancelTimer();
      signal?.removeEventListener('abort', abort);
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result);
      if (this.#retiring !== undefined) this.retire(this.#retiring);
    };
    this.#open.set(id, { settle });
    signal?.addEventListener('abort', abort);
    try {
      this.#send({ jsonrpc: '2.0', id, method, params });
    } catch (error) {
      settle({ error: error as Error });
    }
    return promise;
  }

  /** Tells something. Nothing comes back; where it cannot be told, nothing happens. */
  notify(method: string, params: unknown): void {
    this.#trySend({ jsonrpc: '2.0', method, params });
  }

  /** Ends the connection when its last open call has ended. */
  retire(reason: string): void {
    this.#retiring = reason;
    if (this.#open.size === 0) this.close(reason);
  }

  /** Ends the connection, and with it all open calls. @param reason as the rest of a sentence about the module */
  close(reason: string): void {
    this.#end({ reason, left: false });
  }

  #end(end: PeerEnd): void {
    if (this.#over !== undefined) return;
    this.#over = end.reason;
    this.#readable.destroy();
    this.#writable.destroy();
    for (const { settle } of [...this.#open.values()]) settle({ error: new LinkLost(end.reason) });
    this.#ended.resolve(end);
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) {
        // A line that came with the one that closed it.
        if (this.#over !== undefined) return;
        this.#hear(line);
      }
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.close(`it sent a line of more than ${MAX_LINE_BYTES} bytes`);
    }
  }

  #hear(line: Buffer): void {
    const message = readMessage(line);
    const call = message.kind === 'answer' ? this.#open.get(message.id) : undefined;
    if (message.kind === 'answer' && call) {
      call.settle(message.outcome);
      return;
    }
    if (!this.#unasked.take(1 + line.length / BYTES_PER_WEIGHT)) this.#rest();
    switch (message.kind) {
      case 'notification':
        this.#onNotification(message.method, message.params);
        return;
      case 'request':
        this.#refuse(message.id, METHOD_NOT_FOUND);
        return;
      case 'mistake':
        this.#complain();
        if (this.#errors.take()) this.#refuse(null, message.code);
        return;
      case 'answer':
        // To a call that has ended, or that never was.
        return;
      case 'nothing':
        this.#complain();
        return;
      default:
        message satisfies never;
    }
  }

  /** Whoever talks too much is not listened to for the rest of the second. */
  #rest(): void {
    if (this.#readable.isPaused()) return;
    this.#readable.pause();
    this.#clock.after(this.#unasked.restMs, () => this.#readable.resume());
  }

  #complain(): void {
    if (this.#complained) return;
    this.#complained = true;
    this.#log.warn({ module: this.#name }, 'a module sends lines that are no messages; they are ignored');
  }

  #refuse(id: string | number | null, code: keyof typeof MISTAKES): void {
    this.#trySend({ jsonrpc: '2.0', id, error: { code, message: MISTAKES[code] } });
  }

  #trySend(message: object): void {
    try {
      this.#send(message);
    } catch (error) {
      this.#log.debug({ module: this.#name, err: error }, 'a module could not be told something');
    }
  }

  /** @throws LinkLost, NotSent */
  #send(message: object): void {
    if (this.#over !== undefined) throw new LinkLost(this.#over);
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    if (line.length > MAX_LINE_BYTES) throw new NotSent(`the call is longer than ${MAX_LINE_BYTES} bytes`);
    if (this.#writable.writableLength + line.length > MAX_WAITING_BYTES) {
      throw new NotSent('it does not read what it is sent');
    }
    this.#writable.write(line);
  }
}
