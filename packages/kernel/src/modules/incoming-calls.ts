/** Runs calls of tools of this kernel's modules and guests for chats of other kernels (FLEET-4). */
import { abortable } from '@chat-kernel/base';
import { type ConsentResult, KernelError } from '@chat-kernel/protocol';
import {
  type Clock,
  type ExtensionCallContext,
  type Extensions,
  failure,
  OperationError,
  type OwnerAnswer,
  type OwnerAsk,
  type RemoteCall,
  type ToolOutput,
} from '../ports/index.ts';

/** The caller and how it is notified during the call. */
interface Caller {
  /** The id of its kernel. */
  kernel: string;
  progress(output: string): void;
  /** Asks the user through the kernel that owns the chat; the number identifies the question. */
  ask(n: number, what: OwnerAsk): void;
  /** Cancels that question. */
  unask(n: number): void;
  /** Aborted when the caller no longer waits for the call. */
  signal: AbortSignal;
}

interface OpenCall {
  kernel: string;
  end: AbortController;
  /** The pending questions, by number. */
  asks: Map<number, (answer: OwnerAnswer) => void>;
}

export class IncomingCalls {
  readonly #extensions: Extensions | undefined;
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenCall>();
  #refuses = false;
  #idle = () => {};

  constructor(extensions: Extensions | undefined, clock: Clock) {
    this.#extensions = extensions;
    this.#clock = clock;
  }

  /**
   * Begins a call, and resolves with its output; if the call fails, the output is the error. Rejects only if the caller
   * no longer waits.
   * @throws KernelError immediately: shutting_down; already_resolved if a call with this id is running
   */
  run(call: RemoteCall, caller: Caller): Promise<ToolOutput> {
    if (this.#refuses) throw new KernelError('shutting_down', 'The kernel is shutting down.');
    if (this.#open.has(call.id)) throw new KernelError('already_resolved', 'This call is already running.');
    return this.#run(call, caller);
  }

  /** Passes on the user's answer to a question of a call. @throws KernelError unknown_request */
  answer(id: string, n: number, answer: OwnerAnswer): void {
    const settle = this.#open.get(id)?.asks.get(n);
    if (!settle) throw new KernelError('unknown_request', 'No call is waiting for this answer.');
    settle(answer);
  }

  /** Ends the calls of dead kernels, whose turns have ended with them. */
  lost(kernels: readonly string[]): void {
    for (const { kernel, end } of this.#open.values())
      if (kernels.includes(kernel)) end.abort(new Error('the calling kernel has stopped'));
  }

  /** Accepts no more calls, and gives running ones this much time. */
  async stop(graceMs: number): Promise<void> {
    this.#refuses = true;
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const cancel = this.#clock.after(graceMs, resolve);
    await promise;
    cancel();
    for (const { end } of this.#open.values()) end.abort(new Error('its kernel is stopping'));
  }

  async #run({ id, name, input, turn_context }: RemoteCall, caller: Caller): Promise<ToolOutput> {
    const brought = this.#extensions?.tools();
    const tool = brought?.tools.find(each => each.name === name && brought.here.includes(each.group));
    if (!tool) return failure(`The tool ${name} is no longer available.`);
    const call: OpenCall = { kernel: caller.kernel, end: new AbortController(), asks: new Map() };
    const signal = AbortSignal.any([caller.signal, call.end.signal]);
    this.#open.set(id, call);
    try {
      return await tool.run(input, {
        signal,
        turn_context,
        progress: output => {
          if (!signal.aborted) caller.progress(output);
        },
        ...createAskers(call, caller, signal),
      });
    } catch (error) {
      if (caller.signal.aborted) throw error;
      return failure(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#idle();
    }
  }
}

/** Asks the user through the kernel that owns the chat. */
function createAskers(
  { asks }: OpenCall,
  caller: Caller,
  signal: AbortSignal,
): Pick<ExtensionCallContext, 'askOwner' | 'consentToAct'> {
  let last = 0;
  const ask = (what: OwnerAsk, unwanted: AbortSignal): Promise<OwnerAnswer> => {
    signal.throwIfAborted();
    const n = ++last;
    const { promise, resolve } = Promise.withResolvers<OwnerAnswer>();
    const unask = () => caller.unask(n);
    asks.set(n, resolve);
    unwanted.addEventListener('abort', unask);
    caller.ask(n, what);
    if (unwanted.aborted) unask();
    return abortable(promise, signal).finally(() => {
      asks.delete(n);
      unwanted.removeEventListener('abort', unask);
    });
  };
  return {
    async askOwner(question, unwanted) {
      const answer = await ask({ question }, unwanted);
      if (!('ending' in answer)) throw new Error('a question received the answer to an action');
      return answer.ending;
    },
    async consentToAct(act, unwanted) {
      const answer = await ask({ act }, unwanted);
      if (!('consent' in answer)) throw new Error('an action received the answer to a question');
      if (!answer.consent.allowed) throw new OperationError(answer.consent.reason);
    },
  };
}

/**
 * The user's decision as a result: for a denial, it contains the text that the model would get.
 * @param consenting the promise of `ToolContext.consentToAct`; errors other than a refusal are thrown
 */
export async function consentResult(consenting: Promise<void>): Promise<ConsentResult> {
  try {
    await consenting;
    return { allowed: true, reason: '' };
  } catch (error) {
    if (error instanceof OperationError) return { allowed: false, reason: error.message };
    throw error;
  }
}
