/**
 * Communicates with a module over a connection. The module is not trusted: it may send anything, at any rate, or nothing.
 * Each call to it ends exactly once, and the cost of its unsolicited messages is limited.
 */
import {
  type ByteStreams,
  errorLine,
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  type Message,
  MessageStream,
  NotSent,
  notificationLine,
  PeerDisconnectedError,
  PendingCalls,
  type RequestId,
  RpcError,
  requestLine,
  resultLine,
  STANDARD_MESSAGES,
  type StreamEnd,
} from '@chat-kernel/json-rpc';
import type { Clock, Log } from '@chat-kernel/kernel';
import { isTooDeep, MAX_LEVELS, MAX_LINE_BYTES } from '@chat-kernel/protocol';
import { RateLimiter } from '../pace/rate-limiter.ts';

/** Maximum number of bytes that wait for the other side to read them. */
const MAX_WAITING_BYTES = 2 * MAX_LINE_BYTES;
/**
 * Limit on the weight of unsolicited messages per second: 1 for each message, and 1 for each BYTES_PER_WEIGHT of it.
 */
const UNSOLICITED_PER_SECOND = 2000;
const BYTES_PER_WEIGHT = 8192;
/** The name of a line that is not a message. */
const NO_MESSAGE = 'line';
/** Maximum number of errors per second sent back for invalid lines. */
const ERRORS_PER_SECOND = 5;

interface PeerOptions {
  streams: ByteStreams;
  clock: Clock;
  log: Log;
  /** The name of the module, for the log. */
  name: string;
  onNotification(method: string, params: unknown): void;
  /**
   * Resolves with the answer; undefined if there is no such method. `params` may be nested to any depth. @throws
   * RpcError
   */
  onRequest(method: string, params: unknown): Promise<object> | undefined;
  /** Called for each line that is not a message. */
  onUnread(shape: string): void;
}

export class Peer {
  readonly #options: PeerOptions;
  readonly #stream: MessageStream;
  readonly #calls: PendingCalls;
  readonly #unsolicited: RateLimiter;
  readonly #errors: RateLimiter;
  readonly #ended = Promise.withResolvers<StreamEnd>();
  /** Why the connection has ended; undefined while it is open. */
  #endReason: string | undefined;
  /** Why the connection will end after the last open call. */
  #retireReason: string | undefined;

  constructor(options: PeerOptions) {
    const { streams, clock } = options;
    this.#options = options;
    this.#unsolicited = new RateLimiter(UNSOLICITED_PER_SECOND, clock);
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
        this.#calls.end(new PeerDisconnectedError(end.reason));
        this.#ended.resolve(end);
      },
    });
  }

  /** Resolves when the connection has ended. */
  get ended(): Promise<StreamEnd> {
    return this.#ended.promise;
  }

  /**
   * Calls a method and resolves with its result, of any shape.
   * @throws RpcError, TimedOut, PeerDisconnectedError, NotSent, or the reason of the signal
   */
  call(
    method: string,
    params: unknown,
    timeoutMs: number | undefined,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#calls.begin(id => this.#send(requestLine(id, method, params)), { timeoutMs, signal });
  }

  /** Sends a notification, if the connection allows it. */
  notify(method: string, params: unknown): void {
    this.#trySend(notificationLine(method, params));
  }

  /** Ends the connection after its last open call has ended. */
  retire(reason: string): void {
    this.#retireReason = reason;
    if (this.#calls.size === 0) this.close(reason);
  }

  /** Ends the connection, and with it all open calls. @param reason the rest of a sentence about the module */
  close(reason: string): void {
    this.#stream.close(reason);
  }

  #receive(raw: Message, bytes: number): void {
    const message = withoutDeepValues(raw);
    if (message.kind === 'answer' && this.#calls.settle(message.id, message.outcome)) return;
    if (!this.#unsolicited.take(1 + bytes / BYTES_PER_WEIGHT)) this.#pauseReading();
    switch (message.kind) {
      case 'notification':
        this.#options.onNotification(message.method, message.params);
        return;
      case 'request':
        void this.#answer(message.id, message.method, message.params);
        return;
      case 'mistake':
        this.#options.onUnread(NO_MESSAGE);
        if (this.#errors.take()) this.#refuse(null, message.code);
        return;
      case 'answer':
        // The call has already ended, or never existed.
        return;
      case 'nothing':
        this.#options.onUnread(NO_MESSAGE);
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
      const rpcError = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error');
      this.#trySend(errorLine(id, rpcError.code, rpcError.message));
    }
  }

  /** Stops reading for the rest of the second if a module sends too much. */
  #pauseReading(): void {
    const { streams, clock } = this.#options;
    if (streams.readable.isPaused()) return;
    streams.readable.pause();
    clock.after(this.#unsolicited.restMs, () => streams.readable.resume());
  }

  #refuse(id: RequestId | null, code: keyof typeof STANDARD_MESSAGES): void {
    this.#trySend(errorLine(id, code, STANDARD_MESSAGES[code]));
  }

  #trySend(line: string): void {
    try {
      this.#send(line);
    } catch (error) {
      const { log, name } = this.#options;
      log.debug({ module: name, err: error }, 'sending a notification to a module failed');
    }
  }

  /** @throws PeerDisconnectedError, NotSent */
  #send(line: string): void {
    if (this.#endReason !== undefined) throw new PeerDisconnectedError(this.#endReason);
    const bytes = Buffer.from(line);
    if (bytes.length > MAX_LINE_BYTES) throw new NotSent(`the call is longer than ${MAX_LINE_BYTES} bytes`);
    if (this.#stream.waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      throw new NotSent('it does not read its input');
    }
    this.#stream.send(bytes);
  }
}

/** Returns the message without values that are nested too deeply, because recursive code would overflow the stack. */
function withoutDeepValues(message: Message): Message {
  switch (message.kind) {
    case 'answer': {
      const { outcome } = message;
      if (!('result' in outcome) || !isTooDeep(outcome.result, MAX_LEVELS)) return message;
      return { ...message, outcome: { error: new Error(TOO_DEEP) } };
    }
    case 'notification':
      return isTooDeep(message.params, MAX_LEVELS) ? { kind: 'nothing' } : message;
    case 'request':
      // The code that answers it reads only the known fields.
      return message;
    case 'mistake':
    case 'nothing':
      return message;
    default:
      return message satisfies never;
  }
}

const TOO_DEEP = `its response is nested more than ${MAX_LEVELS} levels deep`;
