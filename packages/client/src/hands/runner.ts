/**
 * Executes what the kernel asks of this client: each operation once, only what is asked live or still waits, only
 * what is meant for this client (EV-12, EV-15). A replayed event alone executes nothing.
 *
 * `take` wants every event of a chat, and `catchUp` a call after each new connection: an operation that was asked while
 * the line was broken waits in GET /v1/requests, and only there.
 */
import { type EventWithoutHands, type Operation, operationOf } from '../api/operation.ts';
import type { EventOf, JsonObject, TurnEvent } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isPassing } from '../http/errors.ts';
import { Patience, untilOver } from '../streams/patience.ts';
import { Answers, messageOf } from './answers.ts';
import { type Choice, decide } from './approval.ts';
import type { ExtraToolHandler } from './extra-tools.ts';
import type { Hands } from './hands.ts';
import type { HandsOptions } from './hands-options.ts';
import { type LastingChoice, type OwnRecord, RecordInMemory } from './own-record.ts';
import { ACTIONS, perform, UNKNOWN_ACTION } from './perform.ts';
import { ProgressPoster } from './progress-poster.ts';
import { TakenRequests } from './taken-requests.ts';
import { BegunFiles, isProjectRead, isUndoPreview } from './unasked.ts';

const PATIENCE_MS = 600_000;

export class HandsRunner {
  readonly client_id: string;
  readonly #client: KernelClient;
  readonly #options: HandsOptions;
  readonly #closing = new AbortController();
  /** The requests that were begun or have ended: none is begun twice, or too late. */
  readonly #taken = new TakenRequests();
  readonly #running = new Map<string, AbortController>();
  readonly #work = new Set<Promise<void>>();
  readonly #record: OwnRecord;
  readonly #begun = new BegunFiles();
  readonly #answers: Answers;

  constructor(client: KernelClient, options: HandsOptions) {
    this.#client = client;
    this.#options = options;
    this.client_id = options.client_id ?? crypto.randomUUID();
    this.#record = options.record ?? new RecordInMemory();
    this.#answers = new Answers(client, options.patienceMs ?? PATIENCE_MS, this.#closing.signal);
  }

  /** The fields of a turn's request that make this client its hands, where it can do anything. */
  get turnFields(): { client_ops: boolean; project_docs: boolean; list_dir: boolean; client_id: string } {
    const { hands } = this.#options;
    const client_ops = ACTIONS.some(action => hands[action] !== undefined);
    return {
      client_ops,
      project_docs: hands.list_up !== undefined,
      list_dir: hands.list_dir !== undefined,
      client_id: this.client_id,
    };
  }

  /** The ids of the operations that were begun and are not answered yet. */
  get running(): string[] {
    return [...this.#running.keys()].map(key => key.slice(key.indexOf(' ') + 1));
  }

  /** Takes the next event of a stream of the chat. Work that it starts goes on by itself. */
  take(chatId: string, event: TurnEvent): void {
    switch (event.type) {
      case 'request_resolved':
        this.#end(chatId, event.id);
        break;
      case 'client_op':
      case 'extra_tool_call':
        if (event.replayed !== true) this.#begin(chatId, event);
        break;
      default:
        event.type satisfies EventWithoutHands;
    }
  }

  /**
   * Executes the requests that wait for this client in the chat, and ends those that the kernel no longer has open.
   * @throws KernelApiError
   */
  async catchUp(chatId: string): Promise<void> {
    const { signal } = this.#closing;
    const patience = new Patience({ total: Infinity, first: 500, longest: 10_000 });
    while (!signal.aborted) {
      try {
        const running = [...this.#running.keys()].filter(key => key.startsWith(keyOf(chatId, '')));
        const { requests } = await this.#client.listRequests({ chat_id: chatId }, { signal });
        const own = requests.filter(({ chat_id }) => chat_id === chatId);
        const open = new Set(own.map(({ id }) => keyOf(chatId, id)));
        // A request may have ended while the line was broken, such as with its kernel.
        for (const key of running) if (!open.has(key)) this.#running.get(key)?.abort();
        for (const { event } of own) {
          if (event.type === 'client_op' || event.type === 'extra_tool_call') this.#begin(chatId, event);
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) throw error;
        await untilOver(patience.wait(error, signal), signal);
      }
    }
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** Kills what runs, and answers nothing more. */
  close(): void {
    this.#closing.abort();
    for (const controller of this.#running.values()) controller.abort();
  }

  #begin(chatId: string, event: EventOf<'client_op' | 'extra_tool_call'>): void {
    const key = keyOf(chatId, event.id);
    if (!this.#isMeant(event) || this.#closing.signal.aborted || this.#taken.has(key)) return;
    const tool = event.type === 'extra_tool_call' ? this.#tool(event.name) : undefined;
    // Another part of this program has the tool, and answers.
    if (event.type === 'extra_tool_call' && tool === undefined) return;
    this.#taken.add(key);
    const controller = new AbortController();
    this.#running.set(key, controller);
    const { signal } = controller;
    const work = (
      event.type === 'client_op'
        ? this.#operate(operationOf(chatId, event), signal)
        : this.#call(chatId, event, tool as ExtraToolHandler, signal)
    )
      .catch(error => this.#options.onError?.(error))
      .finally(() => {
        this.#running.delete(key);
        this.#work.delete(work);
      });
    this.#work.add(work);
  }

  /** Decisions about the kernel's own machine are for whoever answers first, and extra tools for those that have them. */
  #isMeant(event: EventOf<'client_op' | 'extra_tool_call'>): boolean {
    if (isDecidedFor(event)) return this.#options.standby === true;
    if (event.client_id === this.client_id) return true;
    return event.client_id === undefined && (event.type === 'extra_tool_call' || event.hands === null);
  }

  /** Marks it as taken: a list of requests that is on its way may be older, and must not begin it. */
  #end(chatId: string, id: string): void {
    const key = keyOf(chatId, id);
    this.#taken.add(key);
    this.#running.get(key)?.abort();
  }

  #tool(name: string): ExtraToolHandler | undefined {
    const { tools = {} } = this.#options;
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  }

  async #operate(operation: Operation, signal: AbortSignal): Promise<void> {
    const { hands, approve, onOperation } = this.#options;
    const { op_id, chat_id, action, params, decisions } = operation;
    if (operation.hands === null || (operation.hands !== undefined && decisions)) {
      const choice = await decide(approve, operation, signal);
      if (choice) await this.#answers.send(chat_id, { id: op_id, ...choice });
      return;
    }
    const known = (ACTIONS as string[]).includes(action) && hands[action as keyof Hands] !== undefined;
    // The owner is not asked about what cannot be done.
    if (!known) return void (await this.#answers.send(chat_id, { id: op_id, error: UNKNOWN_ACTION }));
    const choice = this.#isAllowed(operation) ? undefined : await this.#decide(operation, signal);
    if (signal.aborted) return;
    if (choice?.decision === 'deny') return this.#deny(operation, choice.error);
    onOperation?.(operation, 'running');
    const progress = this.#progressOf(chat_id, op_id, signal);
    const outcome = await perform(hands, action, params, {
      chat_id,
      op_id,
      signal,
      progress: output => progress.show(output),
    }).finally(() => progress.end());
    if ('result' in outcome) this.#begun.wrote(operation, outcome.result);
    const taken =
      !signal.aborted &&
      (await this.#answers.send(chat_id, { id: op_id, ...outcome, ...(decisions && choice) }));
    onOperation?.(operation, taken ? 'answered' : 'over');
  }

  /** Whether the kernel asks for no decision, and this machine needs none either. */
  #isAllowed(operation: Operation): boolean {
    if (operation.decisions !== undefined) return false;
    if (isProjectRead(operation) || isUndoPreview(operation)) return true;
    return this.#begun.continues(operation) || this.#record.covers(operation);
  }

  /** The owner's decision, which the record keeps where it counts for later operations too. */
  async #decide(operation: Operation, signal: AbortSignal): Promise<Choice | undefined> {
    const { decisions = ABOUT_ONE } = operation;
    if (await this.#options.uploads?.brings(operation)) return { decision: 'allow' };
    const choice = await decide(this.#options.approve, { ...operation, decisions }, signal);
    if (choice && isLasting(choice)) this.#record.give(choice, operation);
    return choice;
  }

  /** Sends no text where the kernel has one for a denial (OP-5). */
  async #deny({ op_id, chat_id, decisions }: Operation, error?: string): Promise<void> {
    const words = error === undefined ? {} : { error };
    const said = decisions?.includes('deny') ? { decision: 'deny', ...words } : { error: error ?? REFUSED };
    await this.#answers.send(chat_id, { id: op_id, ...said });
  }

  #progressOf(chatId: string, id: string, signal: AbortSignal): ProgressPoster {
    return new ProgressPoster(output => this.#client.showProgress(chatId, { id, output }, { signal }));
  }

  async #call(
    chatId: string,
    { id, input }: EventOf<'extra_tool_call'>,
    tool: ExtraToolHandler,
    signal: AbortSignal,
  ): Promise<void> {
    const poster = this.#progressOf(chatId, id, signal);
    const call = { id, chat_id: chatId, progress: (output: string) => poster.show(output) };
    const answer = await (async () => tool(input, signal, call))()
      .then(
        // A tool may return nothing.
        (result: string | JsonObject | undefined) => ({ id, result: result ?? '' }),
        error => ({ id, error: messageOf(error) }),
      )
      .finally(() => poster.end());
    if (!signal.aborted) await this.#answers.send(chatId, answer);
  }
}

/** What is offered where the kernel asks for no decision, and the owner is asked all the same. */
const ABOUT_ONE = ['allow', 'allow_session', 'allow_always', 'deny'] as const;

const isLasting = (choice: Choice): choice is LastingChoice =>
  choice.decision !== 'allow' && choice.decision !== 'deny';

/** A request for a decision alone, about what a machine that stands by is going to do. */
const isDecidedFor = (event: EventOf<'client_op' | 'extra_tool_call'>): boolean =>
  event.type === 'client_op' && typeof event.hands === 'string' && event.decisions !== undefined;

const REFUSED = 'The user declined this operation.';

/** The ids of requests are unique in their chat alone. */
const keyOf = (chatId: string, id: string): string => `${chatId} ${id}`;
