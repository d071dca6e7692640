/** Manages a connection to a kernel: receives its requests, and answers each of them exactly once. */
import type { KernelClient } from '@chat-kernel/client';
import {
  type ByteStreams,
  errorLine,
  INTERNAL_ERROR,
  type Message,
  MessageStream,
  notificationLine,
  PeerDisconnectedError,
  PendingCalls,
  type RequestId,
  RpcError,
  requestLine,
  resultLine,
} from '@chat-kernel/json-rpc';
import { MAX_LINE_BYTES, QuestionParams, QuestionResult } from '@chat-kernel/protocol';
import type { ModuleDefinition } from './define.ts';
import { type Logger, logTo, stderrLogger } from './logger.ts';
import { ModuleMethods } from './module-methods.ts';

/** Progress is dropped while this many bytes wait for the kernel to read them. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Longest error message, in characters. */
const MAX_ERROR_CHARS = 10_000;

export class KernelSession {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** Resolves with a client of the kernel's HTTP API after `initialize`; undefined if the kernel disconnects before. */
  readonly kernel: Promise<KernelClient | undefined>;
  readonly #stream: MessageStream;
  readonly #methods: ModuleMethods;
  /** The answers in progress. */
  readonly #answers = new Set<Promise<void>>();
  /** Open requests to the kernel. */
  readonly #requests = new PendingCalls();
  readonly #closed = new AbortController();
  #initialized = false;

  /**
   * @param client from the settings of the module; if absent, a client is created for the address that the kernel sends
   * at `initialize`
   */
  constructor(module: ModuleDefinition, streams: ByteStreams, client?: KernelClient) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: kernel, resolve: introduce } = Promise.withResolvers<KernelClient | undefined>();
    this.ended = promise;
    this.kernel = kernel;
    this.#methods = new ModuleMethods({
      module,
      client,
      log: this.#logger(),
      over: this.#closed.signal,
      showProgress: (call_id, output) => this.#showProgress(call_id, output),
      ask: (method, params, signal) =>
        this.#requests.begin(id => this.#stream.send(requestLine(id, method, params)), { signal }),
      onKernel: introduce,
    });
    this.#stream = new MessageStream({
      streams,
      maxLineBytes: MAX_LINE_BYTES,
      onMessage: message => this.#receive(message),
      onLineTooLong: () => {
        stderrLogger.error(`received a line of more than ${MAX_LINE_BYTES} bytes`);
        this.#disconnect();
      },
      onEnd: () => {
        this.#initialized = false;
        this.#closed.abort(new Error('The connection to the kernel has ended.'));
        this.#requests.end(new PeerDisconnectedError('the connection to the kernel has ended'));
        introduce(undefined);
        resolve();
      },
    });
  }

  /** Asks the owner. @throws RpcError, PeerDisconnectedError */
  async ask(question: QuestionParams): Promise<string | null> {
    const params = QuestionParams.parse(question);
    const answer = await this.#requests.begin(id => this.#stream.send(requestLine(id, 'question', params)), {
      signal: this.#closed.signal,
    });
    return QuestionResult.parse(answer).answer;
  }

  /** Gives running calls `graceMs` to end, rejects new ones until then, and disconnects. */
  async stop(graceMs: number): Promise<void> {
    this.#methods.stop();
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    const finished = Promise.all(this.#answers).then(() => this.#stream.flush());
    await Promise.race([finished, this.ended, timeout]);
    clearTimeout(timer);
    this.#disconnect();
  }

  #disconnect(): void {
    this.#stream.close('the module disconnected');
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'mistake':
        this.#stream.send(errorLine(null, message.code, message.sentence));
        return;
      case 'notification':
        if (message.method === 'cancelled') this.#methods.cancel(message.params);
        return;
      case 'request': {
        const { id, method, params } = message;
        const answer = this.#answer(id, method, params).finally(() => this.#answers.delete(answer));
        this.#answers.add(answer);
        return;
      }
      case 'answer':
        this.#requests.settle(message.id, message.outcome);
        return;
      case 'nothing':
        return;
      default:
        message satisfies never;
    }
  }

  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    try {
      this.#stream.send(limitedLine(id, await this.#methods.run(method, params)));
    } catch (error) {
      // Print a bug of the module with its stack, for its author.
      const { cause = error } = error as Error;
      if (!(error instanceof RpcError)) stderrLogger.error(`${method}: ${(cause as Error)?.stack ?? cause}`);
      this.#stream.send(failureLine(id, error));
    }
    if (method === 'initialize') this.#initialized = true;
  }

  /** Logs to the kernel between `initialize` and the end of the connection, and to stderr otherwise. */
  #logger(): Logger {
    return logTo((level, message) => {
      if (this.#initialized) this.#stream.send(notificationLine('log', { level, message }));
      else stderrLogger[level](message);
    });
  }

  #showProgress(call_id: string, output: string): void {
    if (this.#stream.waitingBytes < MAX_WAITING_BYTES) {
      this.#stream.send(notificationLine('progress', { call_id, output }));
    }
  }
}

function limitedLine(id: RequestId, result: object): string {
  const line = resultLine(id, result);
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  return failureLine(id, new Error(`The result is larger than ${MAX_LINE_BYTES} bytes.`));
}

function failureLine(id: RequestId, error: unknown): string {
  const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  return errorLine(id, code, message.slice(0, MAX_ERROR_CHARS));
}
