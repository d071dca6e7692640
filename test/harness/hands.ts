/** A client with hands that can also misbehave: it stays silent, fails, or differs from other clients. */
import type { Event, EventOf, JsonObject } from '@chat-kernel/protocol';
import type { ApiClient } from './client.ts';
import type { EventStream } from './event-stream.ts';
import { ACTION_NAMES, perform, UNKNOWN_ACTION } from './hands/actions.ts';
import { Following } from './hands/following.ts';
import { type Operation, operationOf } from './hands/operation.ts';
import { Progress } from './hands/progress.ts';

/** The user's choice: a decision, a reason why the operation is impossible, or no response. */
export type Choice =
  | 'allow'
  | 'allow_session'
  | 'allow_always'
  | 'deny'
  | 'ignore'
  | { error: string; decision?: 'deny' };

export interface HandsOptions {
  directory: string;
  /** Default: no id. */
  client_id?: string;
  /**
   * Called for each operation and awaited; default `allow`. If the operation offers no decisions, there is no dialog:
   * then only `ignore` and an error apply. A decision that was not offered is not sent.
   */
  decide?: (operation: Operation) => Choice | Promise<Choice>;
  /** The actions that the client supports; default: all. */
  knows?: readonly string[];
}

/** An operation that the client began. */
interface Done extends Operation {
  /** As sent to the kernel. */
  decision?: string;
  /** The status of the kernel's response; absent if the operation ended before the client responded. */
  status?: number;
}

export class HandsClient {
  /** In the order in which they began. */
  readonly done: Done[] = [];
  readonly #api: ApiClient;
  readonly #options: HandsOptions;
  readonly #taken = new Set<string>();

  constructor(api: ApiClient, options: HandsOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Runs a turn from its message to its `done` and executes its operations. */
  async turn(chatId: string, body: JsonObject): Promise<Event[]> {
    const { stream, over } = await this.begin(chatId, body);
    await over;
    return stream.all();
  }

  /** Starts a turn and follows it; resolves once its stream is open. */
  async begin(chatId: string, body: JsonObject): Promise<Following> {
    const { client_id } = this.#options;
    const own = { client_ops: true, ...(client_id !== undefined && { client_id }) };
    return this.#follow(chatId, await this.#api.turn(chatId, { ...own, ...body }));
  }

  /** Attaches to a chat as a second terminal does, for this turn and later ones. The test must call `leave`. */
  async watch(chatId: string): Promise<Following> {
    return this.#follow(chatId, await this.#api.live(chatId, '?follow=true'));
  }

  #follow(chatId: string, stream: EventStream): Following {
    return new Following(stream, async (event, signal) => {
      if (event.replayed || !this.#isOwn(event)) return;
      await this.#take(chatId, operationOf(event), signal);
    });
  }

  #isOwn({ client_id }: EventOf<'client_op'>): boolean {
    return client_id === undefined || client_id === this.#options.client_id;
  }

  async #take(chatId: string, operation: Operation, signal: AbortSignal): Promise<void> {
    const key = `${chatId} ${operation.op_id}`;
    if (this.#taken.has(key)) throw new Error(`the operation ${operation.op_id} came twice`);
    this.#taken.add(key);
    const { knows = ACTION_NAMES, decide = () => 'allow' } = this.#options;
    if (!knows.includes(operation.action)) {
      await this.#answer(chatId, operation.op_id, { error: UNKNOWN_ACTION });
      return;
    }
    const choice = await Promise.race([decide(operation), aborted(signal)]);
    if (signal.aborted || choice === 'ignore') return;
    if (typeof choice === 'object') await this.#answer(chatId, operation.op_id, choice);
    else if (choice === 'deny' && operation.decisions) await this.#deny(chatId, operation);
    else await this.#execute(chatId, operation, choice, signal);
  }

  /** Denies without a text of its own: the kernel chooses it (OP-5). */
  async #deny(chatId: string, { op_id, decisions = [] }: Operation): Promise<void> {
    if (!decisions.includes('deny')) throw new Error(`${op_id} cannot be denied: ${decisions.join(', ')}`);
    await this.#answer(chatId, op_id, { decision: 'deny' });
  }

  async #execute(chatId: string, operation: Operation, choice: string, signal: AbortSignal): Promise<void> {
    const { op_id, action, params } = operation;
    const decision = operation.decisions?.includes(choice) ? { decision: choice } : {};
    const done: Done = { ...operation, ...decision };
    this.done.push(done);
    const progress = new Progress(output => this.#showProgress(chatId, op_id, output));
    const outcome = await perform(action, params, {
      directory: this.#options.directory,
      signal,
      progress: output => progress.show(output),
    }).finally(() => progress.end());
    if (signal.aborted) return;
    done.status = await this.#answer(chatId, op_id, { ...outcome, ...decision });
  }

  /** Returns 200, or 409 if the operation already ended in another way. Throws for any other status. */
  async #answer(chatId: string, id: string, body: JsonObject): Promise<number> {
    const { status, body: said } = await this.#api.post(`/v1/chats/${chatId}/ops/result`, { id, ...body });
    if (status !== 200 && status !== 409) throw new Error(`${id}: ${status} ${JSON.stringify(said)}`);
    return status;
  }

  async #showProgress(chatId: string, id: string, output: string): Promise<void> {
    const { status, body } = await this.#api.post(`/v1/chats/${chatId}/ops/progress`, { id, output });
    if (status !== 200 && status !== 409) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
  }
}

/** Resolves if the operation ends before the user responds. */
function aborted(signal: AbortSignal): Promise<'ignore'> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('ignore');
    signal.addEventListener('abort', () => resolve('ignore'), { once: true });
  });
}
