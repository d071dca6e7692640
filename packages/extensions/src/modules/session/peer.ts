/**
 * A module at the other end of a connection. It may send anything, at any pace, or nothing at all: each call to it ends
 * exactly once, and the messages that it sends unasked can cost the kernel only so much.
 */
import {
  type ByteStreams,
  ConnectionLost,
  errorLine,
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  type Message,
  MessageStream,
  NotSent,
  notificationLine,
  PendingCalls,
  type RequestId,
  RpcError,
  requestLine,
  resultLine,
  STANDARD_MESSAGES,
  type StreamEnd,
} from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import { isTooDeep, MAX_LINE_BYTES, MOST_LEVELS } from '@chat-kernel/protocol';
import { RateLimiter } from '../../pace/rate-limiter.ts';

/** Bytes that may wait for the other side to read them. */
const MAX_WAITING_BYTES = 2 * MAX_LINE_BYTES;
/** Weight of the unasked messages of a second: 1 for each message, and 1 for each BYTES_PER_WEIGHT of it. */
const UNASKED_PER_SECOND = 2000;
const BYTES_PER_WEIGHT = 8192;
/** Errors sent back for lines that are no messages. */
const ERRORS_PER_SECOND = 5;

interface PeerOptions {
  streams: ByteStreams;
  clock: Clock;
  log: Log;
  /** The name of the module, for the log. */
  name: string;
  onNotification(method: string, params: unknown): void;
  /** Resolves with the answer; undefined: there is no such method. `params` may be nested to any depth. @throws RpcError */
  onRequest(method: string, params: unknown): Promise<object> | undefined;
}

export class Peer {
  readonly #options: PeerOptions;
  readonly #stream: MessageStream;
  readonly #calls: PendingCalls;
  readonly #unasked: RateLimiter;
  readonly #errors: RateLimiter;
  readonly #ended = Promise.withResolvers<StreamEnd>();
  /** Why the connection has ended; undefined while it has not. */
  #endReason: string | undefined;
  /** Why the connection will end with the last open call. */
  #retireReason: string | undefined;
  #complained = false;

  constructor(options: PeerOptions) {
    const { streams, clock } = options;
    this.#options = options;
    this.#unasked = new RateLimiter(UNASKED_PER_SECOND, clock);
    this.#errors = new RateLimiter(ERRORS_PER_SECOND, clock);
    this.#calls = new PendingCalls(
      (ms, callback) => clock.after(ms, callback),
      () => {
        if (this.#retireReason !== undefined) this.retire(this.#retireReason);
      },
    );
    this.#stream = new MessageStream({
      streams,
      maxLineBytes: MAX_LINE_BYTES,
      onMessage: (message, bytes) => this.#receive(message, bytes),
      onLineTooLong: () => this.close(`it sent a line of more than ${MAX_LINE_BYTES} bytes`),
      onEnd: end => {
        this.#endReason = end.reason;
        this.#calls.end(new ConnectionLost(end.reason));
        this.#ended.resolve(end);
      },
    });
  }

  /** Resolves when the connection is over. */
  get ended(): Promise<StreamEnd> {
    return this.#ended.promise;
  }

  /**
   * Calls a method and resolves with its result, of any shape.
   * @throws RpcError, TimedOut, ConnectionLost, NotSent, or the reason of the signal
   */
  call(
    method: string,
    params: unknown,
    timeoutMs: number | undefined,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#calls.begin(id => this.#send(requestLine(id, method, params)), { timeoutMs, signal });
  }

  /** Sends a notification; where that is not possible, nothing happens. */
  notify(method: string, params: unknown): void {
    this.#trySend(notificationLine(method, params));
  }

  /** Ends the connection when its last open call has ended. */
  retire(reason: string): void {
    this.#retireReason = reason;
    if (this.#calls.size === 0) this.close(reason);
  }

  /** Ends the connection, and with it all open calls. @param reason the rest of a sentence about the module */
  close(reason: string): void {
    this.#stream.close(reason);
  }

  #receive(received: Message, bytes: number): void {
    const message = shallow(received);
    if (message.kind === 'answer' && this.#calls.settle(message.id, message.outcome)) return;
    if (!this.#unasked.take(1 + bytes / BYTES_PER_WEIGHT)) this.#pauseReading();
    switch (message.kind) {
      case 'notification':
        this.#options.onNotification(message.method, message.params);
        return;
      case 'request':
        void this.#answer(message.id, message.method, message.params);
        return;
      case 'mistake':
        this.#complain();
        if (this.#errors.take()) this.#refuse(null, message.code);
        return;
      case 'answer':
        // The call has ended already, or there was none.
        return;
      case 'nothing':
        this.#complain();
        return;
      default:
        message satisfies never;
    }
  }

  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    const answer = this.#options.onRequest(method, params);
    if (answer === undefined) return this.#refuse(id, METHOD_NOT_FOUND);
    try {
      this.#trySend(resultLine(id, await answer));
    } catch (error) {
      const known = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error');
      this.#trySend(errorLine(id, known.code, known.message));
    }
  }

  /** Does not listen, for the rest of the second, to a module that sends too much. */
  #pauseReading(): void {
    const { streams, clock } = this.#options;
    if (streams.readable.isPaused()) return;
    streams.readable.pause();
    clock.after(this.#unasked.restMs, () => streams.readable.resume());
  }

  #complain(): void {
    if (this.#complained) return;
    this.#complained = true;
    const { log, name } = this.#options;
    log.warn({ module: name }, 'a module sends lines that are no messages; they are ignored');
  }

  #refuse(id: RequestId | null, code: keyof typeof STANDARD_MESSAGES): void {
    this.#trySend(errorLine(id, code, STANDARD_MESSAGES[code]));
  }

  #trySend(line: string): void {
    try {
      this.#send(line);
    } catch (error) {
      const { log, name } = this.#options;
      log.debug({ module: name, err: error }, 'a module could not be told something');
    }
  }

  /** @throws ConnectionLost, NotSent */
  #send(line: string): void {
    if (this.#endReason !== undefined) throw new ConnectionLost(this.#endReason);
    const bytes = Buffer.from(line);
    if (bytes.length > MAX_LINE_BYTES) throw new NotSent(`the call is longer than ${MAX_LINE_BYTES} bytes`);
    if (this.#stream.waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      throw new NotSent('it does not read what it is sent');
    }
    this.#stream.send(bytes);
  }
}

/** The message; without what is nested too deep in it, because whoever walks through that would not come back. */
function shallow(message: Message): Message {
  switch (message.kind) {
    case 'answer': {
      const { outcome } = message;
      if (!('result' in outcome) || !isTooDeep(outcome.result, MOST_LEVELS)) return message;
      return { ...message, outcome: { error: new Error(TOO_DEEP) } };
    }
    case 'notification':
      return isTooDeep(message.params, MOST_LEVELS) ? { kind: 'nothing' } : message;
    case 'request':
      // Whoever answers it reads no deeper than the fields that are known.
      return message;
    case 'mistake':
    case 'nothing':
      return message;
    default:
      return message satisfies never;
  }
}

const TOO_DEEP = `its answer is nested more than ${MOST_LEVELS} levels deep`;
