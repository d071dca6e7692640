/** A connection to a kernel: receives its requests, and answers each of them exactly once. */
import type { KernelClient } from '@chat-kernel/client';
import {
  type ByteStreams,
  ConnectionLost,
  errorLine,
  INTERNAL_ERROR,
  type Message,
  MessageStream,
  notificationLine,
  PendingCalls,
  type RequestId,
  RpcError,
  requestLine,
  resultLine,
} from '@chat-kernel/json-rpc';
import { MAX_LINE_BYTES } from '@chat-kernel/protocol';
import type { ModuleDefinition } from './define.ts';
import { type Logger, logTo, printed } from './logger.ts';
import { ModuleMethods } from './module-methods.ts';

/** Progress is dropped while the kernel has so many bytes left to read. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Longest message of an error, in characters. */
const MAX_ERROR_CHARS = 10_000;

export class KernelSession {
  /** Resolves when the connection is over. */
  readonly ended: Promise<void>;
  /** Resolves with the HTTP API of the kernel once that has introduced itself; undefined: it hung up before. */
  readonly kernel: Promise<KernelClient | undefined>;
  readonly #stream: MessageStream;
  readonly #methods: ModuleMethods;
  /** The answers that are being worked out. */
  readonly #answers = new Set<Promise<void>>();
  /** What the kernel is asked. */
  readonly #asked = new PendingCalls();
  readonly #over = new AbortController();
  #introduced = false;

  /** @param client from the settings of the module; absent: for the address that the kernel names at `initialize` */
  constructor(module: ModuleDefinition, streams: ByteStreams, client?: KernelClient) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: known, resolve: introduce } = Promise.withResolvers<KernelClient | undefined>();
    this.ended = promise;
    this.kernel = known;
    this.#methods = new ModuleMethods({
      module,
      client,
      log: this.#logger(),
      over: this.#over.signal,
      showProgress: (call_id, output) => this.#showProgress(call_id, output),
      ask: (method, params, signal) =>
        this.#asked.begin(id => this.#stream.send(requestLine(id, method, params)), { signal }),
      onKernel: introduce,
    });
    this.#stream = new MessageStream({
      streams,
      maxLineBytes: MAX_LINE_BYTES,
      onMessage: message => this.#receive(message),
      onLineTooLong: () => {
        printed.error(`a line of more than ${MAX_LINE_BYTES} bytes came`);
        this.#hangUp();
      },
      onEnd: () => {
        this.#introduced = false;
        this.#over.abort(new Error('The connection to the kernel has ended.'));
        this.#asked.end(new ConnectionLost('the connection to the kernel has ended'));
        introduce(undefined);
        resolve();
      },
    });
  }

  /** Gives running calls `graceMs` to end, refuses new ones meanwhile, and hangs up. */
  async stop(graceMs: number): Promise<void> {
    this.#methods.stop();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    const finished = Promise.all(this.#answers).then(() => this.#stream.flush());
    await Promise.race([finished, this.ended, late]);
    clearTimeout(timer);
    this.#hangUp();
  }

  #hangUp(): void {
    this.#stream.close('the module hung up');
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
        this.#asked.settle(message.id, message.outcome);
        return;
      case 'nothing':
        return;
      default:
        message satisfies never;
    }
  }

  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    try {
      this.#stream.send(fittingLine(id, await this.#methods.run(method, params)));
    } catch (error) {
      // A mistake of the module itself is printed with its stack, for the author.
      const { cause = error } = error as Error;
      if (!(error instanceof RpcError)) printed.error(`${method}: ${(cause as Error)?.stack ?? cause}`);
      this.#stream.send(failureLine(id, error));
    }
    if (method === 'initialize') this.#introduced = true;
  }

  /** Logs to the kernel once it knows the module, and to stderr before and after. */
  #logger(): Logger {
    return logTo((level, message) => {
      if (this.#introduced) this.#stream.send(notificationLine('log', { level, message }));
      else printed[level](message);
    });
  }

  #showProgress(call_id: string, output: string): void {
    if (this.#stream.waitingBytes < MAX_WAITING_BYTES) {
      this.#stream.send(notificationLine('progress', { call_id, output }));
    }
  }
}

function fittingLine(id: RequestId, result: object): string {
  const line = resultLine(id, result);
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  return failureLine(id, new Error(`The result is larger than ${MAX_LINE_BYTES} bytes.`));
}

function failureLine(id: RequestId, error: unknown): string {
  const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  return errorLine(id, code, message.slice(0, MAX_ERROR_CHARS));
}
