/** The kernel's side of the wire, in memory: for the tests of modules. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { KernelClient } from '@chat-kernel/client';
import {
  type CallResult,
  InitializeResult,
  type JsonObject,
  MODULE_PROTOCOL,
  type StageName,
  type StagePayload,
  type StageResult,
  type TurnContext,
} from '@chat-kernel/protocol';
import type { Module } from './define.ts';
import { LineReader } from './lines.ts';
import { Session } from './session.ts';

export interface TestKernelOptions {
  /** Answers what the module asks of the HTTP API; default: nothing is there. */
  fetch?: typeof fetch;
}

/** A call that runs: await it, or cancel it. */
export interface TestedCall extends Promise<CallResult> {
  /** What it has shown so far, the oldest first. */
  readonly progress: readonly string[];
  cancel(): void;
}

/** The module answered with an error, such as -32602 to input that does not fit. */
export class RpcFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcFailure';
    this.code = code;
  }
}

/** A module under test, introduced to its kernel. @throws Error where its declaration is wrong */
export async function testKernel(
  module: Module,
  { fetch = nobody }: TestKernelOptions = {},
): Promise<TestKernel> {
  const kernel = new TestKernel(module, new KernelClient({ url: 'http://kernel.test', fetch }));
  const params = {
    protocol: MODULE_PROTOCOL,
    name: module.name,
    kernel: { version: '0', url: 'http://kernel.test' },
  };
  kernel.declaration = InitializeResult.parse(await kernel.request('initialize', params));
  return kernel;
}

export class TestKernel {
  /** What the module says it is. */
  declaration!: InitializeResult;
  /** What it has logged. */
  readonly logs: { level: string; message: string }[] = [];
  readonly #toModule = new PassThrough();
  readonly #session: Session;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #progress = new Map<string, string[]>();
  #lastId = 0;

  constructor(module: Module, client: KernelClient) {
    const fromModule = new PassThrough();
    const lines = new LineReader();
    fromModule.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#hear(JSON.parse(line));
    });
    this.#session = new Session(module, { readable: this.#toModule, writable: fromModule }, client);
  }

  /** Calls a tool by its short name; `who` is the master where it does not say otherwise. @throws RpcFailure */
  call(name: string, input: JsonObject = {}, who: Partial<TurnContext> = {}): TestedCall {
    const call_id = randomUUID();
    const progress: string[] = [];
    this.#progress.set(call_id, progress);
    const params = { call_id, name, input, context: contextOf(who) };
    const answer = this.request('tools/call', params) as Promise<CallResult>;
    const cancel = () => this.#tell({ method: 'cancelled', params: { call_id } });
    return Object.assign(answer, { progress, cancel });
  }

  /** Shows a payload to a stage. @throws RpcFailure */
  stage<Stage extends StageName>(
    stage: Stage,
    payload: StagePayload<Stage>,
    who: Partial<TurnContext> = {},
  ): Promise<StageResult> {
    return this.request('stage', { stage, payload, context: contextOf(who) }) as Promise<StageResult>;
  }

  /** Any request at all. @throws RpcFailure */
  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#tell({ id, method, params });
    return waiting.promise;
  }

  /** Hangs up. */
  stop(): Promise<void> {
    return this.#session.stop(0);
  }

  #tell(message: object): void {
    this.#toModule.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #hear({ id, method, params, result, error }: Heard): void {
    if (method === 'log') this.logs.push(params);
    if (method === 'progress') this.#progress.get(params.call_id)?.push(params.output);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new RpcFailure(error.code, error.message));
    else waiting.resolve(result);
  }
}

interface Heard {
  id?: number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: of each notification another shape
  params?: any;
  result?: unknown;
  error?: { code: number; message: string };
}

const contextOf = (who: Partial<TurnContext>): TurnContext => ({
  chat_id: '00000000-0000-7000-8000-000000000000',
  sender: '',
  master: true,
  trusted: true,
  privileged: true,
  client_ops: false,
  ...who,
});

const nobody: typeof fetch = async input => {
  throw new TypeError(`no kernel answers in this test: ${input instanceof Request ? input.url : input}`);
};
