/** Calls of tools of this kernel's modules and guests that run for chats of other kernels (FLEET-4). */
import { KernelError } from '@chat-kernel/protocol';
import {
  type BroughtContext,
  type Clock,
  type Extensions,
  type ForeignCall,
  failure,
  OperationError,
  type OwnerAnswer,
  type OwnerAsk,
  type ToolOutput,
} from '../ports/index.ts';

/** Whoever calls, and what it is told meanwhile. */
interface Caller {
  /** The id of its kernel. */
  kernel: string;
  progress(output: string): void;
  /** The owner is to be asked, under this number, by whoever has the chat. */
  ask(n: number, what: OwnerAsk): void;
  /** Nobody here waits for that answer any more. */
  unask(n: number): void;
  /** Aborted when it waits for the call no more. */
  signal: AbortSignal;
}

interface OpenCall {
  kernel: string;
  end: AbortController;
  /** What waits for the owner, by number. */
  asks: Map<number, (answer: OwnerAnswer) => void>;
}

export class CallsForOthers {
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
   * Begins a call, and resolves with its output; of one that fails, the output says so. Rejects only where the caller
   * waits no more.
   * @throws KernelError at once: shutting_down; already_resolved where a call of this id runs
   */
  run(call: ForeignCall, caller: Caller): Promise<ToolOutput> {
    if (this.#refuses) throw new KernelError('shutting_down', 'The kernel is shutting down.');
    if (this.#open.has(call.id)) throw new KernelError('already_resolved', 'This call runs already.');
    return this.#run(call, caller);
  }

  /** Hands on what the owner answered for a call. @throws KernelError unknown_request */
  answer(id: string, n: number, answer: OwnerAnswer): void {
    const settle = this.#open.get(id)?.asks.get(n);
    if (!settle) throw new KernelError('unknown_request', 'No call waits for this answer.');
    settle(answer);
  }

  /** Kernels are gone, and with them the turns that had called. */
  lost(kernels: readonly string[]): void {
    for (const { kernel, end } of this.#open.values())
      if (kernels.includes(kernel)) end.abort(new Error('the kernel that called is gone'));
  }

  /** Takes no more calls, and gives those that run so long. */
  async stop(graceMs: number): Promise<void> {
    this.#refuses = true;
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const cancel = this.#clock.after(graceMs, resolve);
    await promise;
    cancel();
    for (const { end } of this.#open.values()) end.abort(new Error('its kernel stops'));
  }

  async #run({ id, name, input, turn_context, trace }: ForeignCall, caller: Caller): Promise<ToolOutput> {
    const brought = this.#extensions?.tools();
    const tool = brought?.tools.find(each => each.name === name && brought.here.includes(each.group));
    if (!tool) return failure(`There is no tool ${name} any more.`);
    const call: OpenCall = { kernel: caller.kernel, end: new AbortController(), asks: new Map() };
    const signal = AbortSignal.any([caller.signal, call.end.signal]);
    this.#open.set(id, call);
    try {
      return await tool.run(input, {
        signal,
        trace,
        turn_context,
        progress: output => {
          if (!signal.aborted) caller.progress(output);
        },
        ...askersOf(call, caller, signal),
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

/** Asks the owner by way of the kernel that has the chat. */
function askersOf(
  { asks }: OpenCall,
  caller: Caller,
  signal: AbortSignal,
): Pick<BroughtContext, 'askOwner' | 'consentToAct'> {
  let last = 0;
  const ask = (what: OwnerAsk, unwanted: AbortSignal): Promise<OwnerAnswer> => {
    signal.throwIfAborted();
    const n = ++last;
    const { promise, resolve, reject } = Promise.withResolvers<OwnerAnswer>();
    const giveUp = () => reject(signal.reason);
    const unask = () => caller.unask(n);
    asks.set(n, resolve);
    signal.addEventListener('abort', giveUp);
    unwanted.addEventListener('abort', unask);
    caller.ask(n, what);
    if (unwanted.aborted) unask();
    return promise.finally(() => {
      asks.delete(n);
      signal.removeEventListener('abort', giveUp);
      unwanted.removeEventListener('abort', unask);
    });
  };
  return {
    async askOwner(question, unwanted) {
      const answer = await ask({ question }, unwanted);
      if (!('ending' in answer)) throw new Error('a question was answered as if it were an act');
      return answer.ending;
    },
    async consentToAct(act, unwanted) {
      const answer = await ask({ act }, unwanted);
      if (!('consent' in answer)) throw new Error('an act was answered as if it were a question');
      if (!answer.consent.allowed) throw new OperationError(answer.consent.reason);
    },
  };
}
