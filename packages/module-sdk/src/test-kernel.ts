/** Simulates the kernel's side of a connection in memory, for tests of modules. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { KernelClient } from '@chat-kernel/client';
import {
  type Message,
  MessageStream,
  notificationLine,
  PendingCalls,
  requestLine,
  resultLine,
} from '@chat-kernel/json-rpc';
import {
  type CallResult,
  type ConsentParams,
  InitializeResult,
  type JsonObject,
  MAX_LINE_BYTES,
  MODULE_PROTOCOL,
  type StageName,
  type StagePayload,
  type StageResult,
  type TurnContext,
} from '@chat-kernel/protocol';
import type { ModuleDefinition } from './define.ts';
import { KernelSession } from './kernel-session.ts';

interface TestKernelOptions {
  /** Answers the requests of the module to the HTTP API; by default each of them fails. */
  fetch?: typeof fetch;
  /**
   * Decides in place of the owner: true approves, a text declines and is shown to the model. By default it declines.
   */
  consent?: (shown: Readonly<Record<string, string>>) => true | string;
}

/** A running call: its promise, and its progress until then. */
export interface TestedCall extends Promise<CallResult> {
  /** The outputs that the call has shown so far, the oldest first. */
  readonly progress: readonly string[];
  cancel(): void;
}

/** Begins the test of a module: introduces it to a kernel. @throws Error if its declaration is invalid */
export async function testKernel(
  module: ModuleDefinition,
  { fetch = noKernel, consent = () => 'Nobody consents in this test.' }: TestKernelOptions = {},
): Promise<TestKernel> {
  const kernel = new TestKernel(module, new KernelClient({ url: 'http://kernel.test', fetch }), consent);
  const params = {
    protocol: MODULE_PROTOCOL,
    name: module.name,
    kernel: { version: '0', url: 'http://kernel.test' },
  };
  kernel.declaration = InitializeResult.parse(await kernel.request('initialize', params));
  return kernel;
}

export class TestKernel {
  /** The declaration of the module. */
  declaration!: InitializeResult;
  /** The lines that the module has logged. */
  readonly logs: { level: string; message: string }[] = [];
  readonly #session: KernelSession;
  readonly #stream: MessageStream;
  readonly #calls = new PendingCalls();
  readonly #consent: NonNullable<TestKernelOptions['consent']>;
  /** call_id → the outputs that the call has shown. */
  readonly #progress = new Map<string, string[]>();

  constructor(
    module: ModuleDefinition,
    client: KernelClient,
    consent: NonNullable<TestKernelOptions['consent']>,
  ) {
    this.#consent = consent;
    const toModule = new PassThrough();
    const fromModule = new PassThrough();
    this.#stream = new MessageStream({
      streams: { readable: fromModule, writable: toModule },
      maxLineBytes: MAX_LINE_BYTES,
      onMessage: message => this.#receive(message),
      onLineTooLong() {
        throw new Error(`received a line of more than ${MAX_LINE_BYTES} bytes`);
      },
      onEnd() {},
    });
    this.#session = new KernelSession(module, { readable: toModule, writable: fromModule }, client);
  }

  /** Calls a tool by its short name. @param who by default the owner. @throws RpcError */
  call(name: string, input: JsonObject = {}, who: Partial<TurnContext> = {}): TestedCall {
    const call_id = randomUUID();
    const progress: string[] = [];
    this.#progress.set(call_id, progress);
    const params = { call_id, name, input, context: buildContext(who) };
    const answer = this.request('tools/call', params) as Promise<CallResult>;
    const cancel = () => this.#stream.send(notificationLine('cancelled', { call_id }));
    return Object.assign(answer, { progress, cancel });
  }

  /** Sends a payload to a stage. @throws RpcError */
  stage<Stage extends StageName>(
    stage: Stage,
    payload: StagePayload<Stage>,
    who: Partial<TurnContext> = {},
  ): Promise<StageResult> {
    return this.request('stage', { stage, payload, context: buildContext(who) }) as Promise<StageResult>;
  }

  /** Sends any request. @throws RpcError, such as -32602 for invalid input */
  request(method: string, params: object): Promise<unknown> {
    return this.#calls.begin(id => this.#stream.send(requestLine(id, method, params)));
  }

  /** Disconnects. */
  stop(): Promise<void> {
    return this.#session.stop(0);
  }

  #receive(message: Message): void {
    if (message.kind === 'answer') this.#calls.settle(message.id, message.outcome);
    if (message.kind === 'request') {
      const said = this.#consent((message.params as ConsentParams).shown);
      const answer = said === true ? { allowed: true } : { allowed: false, reason: said };
      this.#stream.send(resultLine(message.id, answer));
    }
    if (message.kind !== 'notification') return;
    // biome-ignore lint/suspicious/noExplicitAny: each notification has its own shape
    const params = message.params as any;
    if (message.method === 'log') this.logs.push(params);
    if (message.method === 'progress') this.#progress.get(params.call_id)?.push(params.output);
  }
}

const buildContext = (who: Partial<TurnContext>): TurnContext => ({
  chat_id: '00000000-0000-7000-8000-000000000000',
  sender: '',
  master: true,
  trusted: true,
  privileged: true,
  client_ops: false,
  ...who,
});

const noKernel: typeof fetch = async input => {
  throw new TypeError(`no kernel answers in this test: ${input instanceof Request ? input.url : input}`);
};
