/** One connection to a kernel: hears what it asks, runs tools and stages, and answers each exactly once. */
import type { Readable, Writable } from 'node:stream';
import { KernelClient } from '@chat-kernel/client';
import { CallParams, InitializeParams, StageName, TurnContext } from '@chat-kernel/protocol';
import { z } from 'zod';
import { callResultOf, type StageAnswer, stageResultOf, ToolError } from './answer.ts';
import { declarationOf } from './declaration.ts';
import type { Module, RunContext, Stage } from './define.ts';
import { LineReader } from './lines.ts';
import { type Log, logTo, printed } from './log.ts';
import * as rpc from './rpc.ts';

const StageParams = z.object({
  stage: StageName,
  payload: z.record(z.string(), z.unknown()),
  context: TurnContext,
});
const CancelledParams = z.object({ call_id: z.string() });

/** Progress that the kernel has not read yet is not worth more than this. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface Wire {
  readable: Readable;
  writable: Writable;
}

export class Session {
  /** Settles when the connection is over. */
  readonly ended: Promise<void>;
  readonly log: Log = logTo((level, message) => {
    if (this.#introduced) this.#send(rpc.notification('log', { level, message }));
    else printed[level](message);
  });
  readonly #module: Module;
  readonly #wire: Wire;
  readonly #lines = new LineReader();
  /** Of the calls that run. */
  readonly #calls = new Map<string, AbortController>();
  readonly #working = new Set<Promise<void>>();
  readonly #over = new AbortController();
  readonly #end: () => void;
  /** From the settings of the module; else the one that the kernel tells at `initialize`. */
  #kernel: KernelClient | undefined;
  #introduced = false;
  #stopping = false;

  constructor(module: Module, wire: Wire, kernel?: KernelClient) {
    this.#module = module;
    this.#wire = wire;
    this.#kernel = kernel;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = () => {
      // Standard streams say again that they close, each time they are told to.
      if (this.#over.signal.aborted) return;
      this.#introduced = false;
      this.#over.abort(new Error('The connection to the kernel has ended.'));
      wire.readable.destroy();
      wire.writable.destroy();
      resolve();
    };
    for (const stream of [wire.readable, wire.writable]) stream.on('error', this.#end).on('close', this.#end);
    wire.readable.on('end', this.#end).on('data', (chunk: Buffer) => this.#hear(chunk));
  }

  /** Lets running calls end for so long, then cuts them off and hangs up. New ones are refused meanwhile. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    const finished = Promise.all(this.#working).then(() => this.#said());
    await Promise.race([finished, this.ended, late]);
    clearTimeout(timer);
    this.#end();
  }

  #hear(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#take(line);
    } catch (error) {
      printed.error((error as Error).message);
      this.#end();
    }
  }

  #take(line: string): void {
    let message: rpc.Incoming | undefined;
    try {
      message = rpc.readMessage(line);
    } catch (error) {
      this.#send(rpc.failure(null, error));
      return;
    }
    if (message === undefined) return;
    const { id, method, params } = message;
    if (id === undefined) {
      if (method === 'cancelled') this.#cancel(params);
      return;
    }
    const work = this.#answer(id, method, params).finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async #answer(id: string | number, method: string, params: unknown): Promise<void> {
    try {
      this.#send(rpc.result(id, await this.#run(method, params)));
    } catch (error) {
      // Its own mistakes belong into a log too, with the place where they were made.
      const { cause = error } = error as Error;
      if (!(error instanceof rpc.RpcError)) printed.error(`${method}: ${(cause as Error)?.stack ?? cause}`);
      this.#send(rpc.failure(id, error));
    }
    if (method === 'initialize') this.#introduced = true;
  }

  async #run(method: string, params: unknown): Promise<object> {
    switch (method) {
      case 'initialize': {
        const { kernel } = read(InitializeParams, params);
        this.#kernel ??= new KernelClient({ url: kernel.url });
        return declarationOf(this.#module);
      }
      case 'ping':
        return {};
      case 'tools/call':
        return this.#call(read(CallParams, params));
      case 'stage':
        return this.#pass(read(StageParams, params));
      default:
        throw new rpc.RpcError(rpc.METHOD_NOT_FOUND, `There is no method ${method}.`);
    }
  }

  async #call({ call_id, name, input, context }: CallParams): Promise<object> {
    if (this.#stopping) throw new rpc.RpcError(rpc.SERVER_ERROR, 'The module is stopping.');
    const tools = this.#module.tools ?? {};
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) throw new rpc.RpcError(rpc.INVALID_PARAMS, `There is no tool ${name}.`);
    const parsed = read(tool.input ?? z.object({}), input);
    const cancel = new AbortController();
    this.#calls.set(call_id, cancel);
    const signal = AbortSignal.any([cancel.signal, this.#over.signal]);
    const progress = (output: string) => {
      const { writableLength } = this.#wire.writable;
      if (writableLength < MAX_WAITING_BYTES) this.#send(rpc.notification('progress', { call_id, output }));
    };
    try {
      return callResultOf(await tool.run(parsed, { ...this.#context(signal), context, call_id, progress }));
    } catch (error) {
      if (error instanceof ToolError) return { output: error.message, is_error: true };
      throw new Error(`The tool ${name} failed: ${(error as Error)?.message ?? error}`, { cause: error });
    } finally {
      this.#calls.delete(call_id);
    }
  }

  async #pass({ stage, payload, context }: z.output<typeof StageParams>): Promise<object> {
    // Each stage gets the payload of its own kind: so the kernel speaks.
    const station = this.#module.stages?.[stage] as Stage<'message'> | undefined;
    if (!station)
      throw new rpc.RpcError(rpc.INVALID_PARAMS, `The module takes no part in the stage ${stage}.`);
    const shown = payload as Parameters<typeof station.run>[0];
    const answer: StageAnswer<'message'> = await station.run(shown, {
      ...this.#context(this.#over.signal),
      context,
    });
    return stageResultOf<'message'>(shown, answer);
  }

  #cancel(params: unknown): void {
    const { data } = CancelledParams.safeParse(params);
    if (data) this.#calls.get(data.call_id)?.abort(new Error('The call was cancelled.'));
  }

  #context(signal: AbortSignal): RunContext {
    if (!this.#kernel) throw new rpc.RpcError(rpc.INVALID_REQUEST, 'initialize comes first.');
    return { kernel: this.#kernel, signal, log: this.log };
  }

  /** All that was said is on its way. */
  async #said(): Promise<void> {
    const { writable } = this.#wire;
    if (writable.writable) await new Promise<unknown>(written => writable.write('', written));
  }

  #send(line: string): void {
    if (!this.#wire.writable.writable) return;
    this.#wire.writable.write(line);
  }
}

/** @throws RpcError with a sentence that says which field is wrong, and how (MOD-6) */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    ({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
  );
  throw new rpc.RpcError(rpc.INVALID_PARAMS, wrong.join('; '));
}
