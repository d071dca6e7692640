/** Implements the methods that a kernel may call: runs tools and stages, and returns the declaration of the module. */
import { KernelApiError, KernelClient } from '@chat-kernel/client';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  SERVER_ERROR,
} from '@chat-kernel/json-rpc';
import {
  CallParams,
  ConsentResult,
  InitializeParams,
  StageName,
  sizeForPeople,
  TurnContext,
  type UploadedFile,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { type StageAnswer, ToolError, toCallResult, toStageResult } from './answers.ts';
import { buildDeclaration } from './declaration.ts';
import type { CallContext, ModuleDefinition, RunContext, StageDefinition } from './define.ts';
import type { Logger } from './logger.ts';

const StageParams = z.object({
  stage: StageName,
  payload: z.record(z.string(), z.unknown()),
  context: TurnContext,
});
const CancelledParams = z.object({ call_id: z.string() });

interface ModuleMethodsDeps {
  module: ModuleDefinition;
  /** If absent, a client is created for the address that the kernel sends at `initialize`. */
  client: KernelClient | undefined;
  log: Logger;
  /** Aborted when the connection is over. */
  over: AbortSignal;
  showProgress(call_id: string, output: string): void;
  /**
   * Sends a request to the kernel, and resolves with its answer. @throws RpcError, PeerDisconnectedError, the reason of the
   * signal
   */
  ask(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  /** Called when the kernel has introduced itself. @param client for its HTTP API */
  onKernel(client: KernelClient): void;
}

export class ModuleMethods {
  readonly #deps: ModuleMethodsDeps;
  /** call_id → the controller that cancels the call. */
  readonly #calls = new Map<string, AbortController>();
  #client: KernelClient | undefined;
  #stopping = false;

  constructor(deps: ModuleMethodsDeps) {
    this.#deps = deps;
    this.#client = deps.client;
  }

  /** Runs a method and resolves with its result. @throws RpcError, or the error of a handler */
  async run(method: string, params: unknown): Promise<object> {
    switch (method) {
      case 'initialize': {
        const { kernel } = read(InitializeParams, params);
        this.#client ??= new KernelClient({ url: kernel.url });
        this.#deps.onKernel(this.#client);
        return buildDeclaration(this.#deps.module);
      }
      case 'ping':
        return {};
      case 'tools/call':
        return this.#callTool(read(CallParams, params));
      case 'stage':
        return this.#runStage(read(StageParams, params));
      default:
        throw new RpcError(METHOD_NOT_FOUND, `There is no method ${method}.`);
    }
  }

  /** Cancels a call, with the parameters of the notification `cancelled`. */
  cancel(params: unknown): void {
    const { data } = CancelledParams.safeParse(params);
    if (data) this.#calls.get(data.call_id)?.abort(new Error('The call was cancelled.'));
  }

  /** Rejects further calls of tools. */
  stop(): void {
    this.#stopping = true;
  }

  async #callTool({ call_id, name, input, context }: CallParams): Promise<object> {
    if (this.#stopping) throw new RpcError(SERVER_ERROR, 'The module is stopping.');
    const { module, over, showProgress, ask } = this.#deps;
    const tools = module.tools ?? {};
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) throw new RpcError(INVALID_PARAMS, `There is no tool ${name}.`);
    const parsed = read(tool.input ?? z.object({}), input);
    const cancel = new AbortController();
    this.#calls.set(call_id, cancel);
    const signal = AbortSignal.any([cancel.signal, over]);
    const run = { ...this.#context(signal), context };
    const consent: CallContext['consent'] = async shown => {
      const answer = await ask('consent', { call_id, shown }, signal);
      const { allowed, reason } = ConsentResult.parse(answer);
      if (!allowed) throw new ToolError(reason);
    };
    const call: CallContext = {
      ...run,
      call_id,
      progress: output => showProgress(call_id, output),
      consent,
      filesToSend: filesToSend({ ...run, consent }),
    };
    try {
      return toCallResult(await tool.run(parsed, call));
    } catch (error) {
      if (error instanceof ToolError) return { output: error.message, is_error: true };
      throw new Error(`The tool ${name} failed: ${(error as Error)?.message ?? error}`, { cause: error });
    } finally {
      this.#calls.delete(call_id);
    }
  }

  async #runStage({ stage, payload, context }: z.output<typeof StageParams>): Promise<object> {
    // The kernel sends each stage its kind of payload; `message` is a placeholder for any of them.
    const definition = this.#deps.module.stages?.[stage] as StageDefinition<'message'> | undefined;
    if (!definition) {
      throw new RpcError(INVALID_PARAMS, `The module takes no part in the stage ${stage}.`);
    }
    const shown = payload as Parameters<typeof definition.run>[0];
    const answer: StageAnswer<'message'> = await definition.run(shown, {
      ...this.#context(this.#deps.over),
      context,
    });
    return toStageResult<'message'>(shown, answer);
  }

  #context(signal: AbortSignal): RunContext {
    if (!this.#client) throw new RpcError(INVALID_REQUEST, 'initialize comes first.');
    return { kernel: this.#client, signal, log: this.#deps.log };
  }
}

/** @throws RpcError with a sentence that says which field is wrong, and why (MOD-6) */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    ({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
  );
  throw new RpcError(INVALID_PARAMS, wrong.join('; '));
}

interface Call {
  kernel: KernelClient;
  context: TurnContext;
  signal: AbortSignal;
  consent: CallContext['consent'];
}

/** Prepares files that a module sends outside: only the kernel reads them, and only the owner approves them. */
const filesToSend =
  ({ kernel, context, signal, consent }: Call): CallContext['filesToSend'] =>
  async (paths, shown, check = () => {}) => {
    if (!(context.master && context.trusted)) {
      throw new ToolError('Files can be sent only in turns of the master.');
    }
    const files: UploadedFile[] = [];
    for (const path of paths) {
      const file = await kernel.copyFile(context.chat_id, { path }, { signal }).catch(refused);
      check(file);
      files.push(file);
    }
    const list = files.map(
      ({ name, size }, index) => `${name} (${sizeForPeople(size)}), from ${paths[index]}`,
    );
    await consent({ ...shown, files: list.join('\n') });
    return files;
  };

/** @throws ToolError with the reason of the kernel, or the error itself */
function refused(error: unknown): never {
  throw error instanceof KernelApiError ? new ToolError(error.detail, { cause: error }) : error;
}
