/** Manages all turns of all chats: starts, streams and cancels them, and restores them after a restart. */
import {
  type CancelResult,
  type DroppedTurn,
  KernelError,
  type PlanTask,
  type Turn,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { loopTime } from '../base/loop-time.ts';
import { MEMORY_BYTES } from '../base/memory-budget.ts';
import type { TurnActivity } from '../feature-host.ts';
import { EndedFeeds } from '../feed/ended-feeds.ts';
import type { ResumedReader } from '../feed/reader.ts';
import { type ChatRecord, inTrace, type NewMessage, type TurnRecord, timestamp } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { requestFingerprint } from './accept-request.ts';
import { afterTurn, type Places } from './after-turn.ts';
import { cancelQueuedTurns } from './cancel-queued.ts';
import { type LiveRequest, liveReader } from './live-reader.ts';
import { PendingEndings } from './pending-endings.ts';
import { Queues, toWaitingFor } from './queues.ts';
import { checkRetry, prepareRetry, type Replacement, type Retry } from './retry.ts';
import { ShownTurns, toTurn } from './shown-turns.ts';
import { findStarted, type ScheduledRun, type Sent, type StartedTurn, startTurn } from './start-turn.ts';
import { UnconfirmedTurns } from './unconfirmed-turns.ts';
import { UnfinishedTurns } from './unfinished-turns.ts';

const shuttingDown = () => new KernelError('shutting_down', 'The kernel is shutting down. Try again later.');

export class Turns {
  readonly #services: TurnServices;
  readonly queues: Queues;
  readonly shown: ShownTurns;
  readonly #ended: EndedFeeds;
  readonly #unstored: PendingEndings;
  readonly #unheard: UnconfirmedTurns;
  readonly #places: Places;
  /** Whether all further starts are refused. */
  refuses = false;
  readonly #unfinished: UnfinishedTurns;
  /** Aborted when the kernel stops, so that starts no longer wait for modules. */
  readonly #closing = new AbortController();

  constructor(services: TurnServices) {
    this.#services = services;
    this.queues = new Queues((turn, placed) => this.#run(turn, placed), services);
    this.shown = new ShownTurns(this.queues, services);
    this.#ended = new EndedFeeds(services.clock, MEMORY_BYTES.endedFeeds);
    this.#unstored = new PendingEndings(services.clock);
    this.#unheard = new UnconfirmedTurns(services.clock, start => this.#unfinished.goOn(start));
    this.#places = {
      queues: this.queues,
      ended: this.#ended,
      unstored: this.#unstored,
      unheard: this.#unheard,
    };
    this.#unfinished = new UnfinishedTurns(services, this.#places);
  }

  /**
   * Closes the turns that a crash left running, and continues those that waited.
   * @param adoptAll adopts chats without an owner if several kernels share the database
   */
  recover(adoptAll?: () => Promise<void> | undefined): Promise<void> {
    return this.#unfinished.recover(adoptAll);
  }

  /** Continues the turns of a chat that this kernel has just adopted (FLEET-3). */
  adopt(chatId: string): Promise<void> {
    return this.#unfinished.adopt(chatId);
  }

  /** Drops a chat that now belongs to another kernel: its turns end without an event. */
  lose(chatId: string): void {
    const { histories } = this.#services;
    const queue = this.queues.remove(chatId);
    queue?.abandon();
    for (const turn of queue?.turns ?? []) turn.writes.fence();
    this.#ended.forget(chatId);
    this.#unstored.forget(chatId);
    this.#unheard.forget(chatId);
    histories.forget(chatId);
  }

  /** Whether a chat has no turns and no followers. */
  isIdle(chatId: string): boolean {
    return this.queues.find(chatId) === undefined && this.#unstored.last(chatId) === undefined;
  }

  /** Whether a chat has turns that have not ended in the store, as far as this kernel knows. */
  hasTurns(chatId: string): boolean {
    const turns = this.queues.find(chatId)?.turns ?? [];
    return turns.length > 0 || this.#unstored.last(chatId) !== undefined;
  }

  /** Stores the message and starts or queues its turn, as described at `startTurn`. */
  async start(
    chat: ChatRecord,
    request: TurnRequest,
    sent?: Sent,
    { run, replacement }: { run?: ScheduledRun; replacement?: Replacement } = {},
  ): Promise<StartedTurn> {
    if (this.refuses) throw shuttingDown();
    await loopTime();
    await this.settle(chat.id);
    const start = { chat, request, sent, run, replacement };
    return startTurn(start, this.#places, this.#services, this.#closing.signal);
  }

  /**
   * Starts a turn in place of the one that a user message began (EDIT-1), or returns the turn that an earlier call of
   * this request started.
   * @param settle resolves with the chat once it has no open turn
   * @throws KernelError not_found, and as `start`
   */
  async retry(
    chatId: string,
    retry: Retry,
    sent: Sent,
    settle: () => Promise<ChatRecord>,
  ): Promise<StartedTurn> {
    const { request, message_id } = retry;
    checkRetry(request);
    await this.settle(chatId);
    const fingerprint = await requestFingerprint(request, message_id);
    const repeated = await findStarted(chatId, request, fingerprint, sent, this.#places, this.#services);
    if (repeated) return repeated;
    const chat = await settle();
    const prepared = await prepareRetry(chat, retry, fingerprint, this.#services.store);
    return this.start(chat, prepared.request, sent, { replacement: prepared.replacement });
  }

  /** A reader of the running or first waiting turn, and with `follow` of later ones; null if there is none. */
  live(chatId: string, request: LiveRequest): ResumedReader | null {
    return liveReader(chatId, request, this.queues, this.#ended);
  }

  /**
   * Ends the running turn (TURN-10), or drops the one that sleeps before it began; with `queued` also drops all waiting
   * turns (WAIT-4). Resolves once they have ended.
   */
  async cancel(chatId: string, queued: boolean): Promise<CancelResult> {
    const queue = this.queues.find(chatId);
    const waiting = queue?.waiting ?? [];
    const dropping = queued ? waiting : waiting.filter(turn => turn === queue?.turns[0]);
    // Turns are dropped first, so that they cannot begin when the running one has ended.
    const [dropped, ran] = await Promise.all([this.#drop(chatId, dropping), queue?.cancel() ?? null]);
    const turn_id = ran?.record.id ?? dropped[0]?.turn_id ?? null;
    return { cancelled: turn_id !== null, turn_id, ...(queued && { dropped }) };
  }

  /** Drops the turn that waits with this message, and those after it (WAIT-4). Empty if the message is not waiting. */
  dropFrom(chatId: string, messageId: string): Promise<DroppedTurn[]> {
    const waiting = this.queues.find(chatId)?.waiting ?? [];
    const first = waiting.findIndex(({ record }) => record.message_id === messageId);
    return this.#drop(chatId, first === -1 ? [] : waiting.slice(first));
  }

  /** The state or the result of a turn (TURN-12). @throws KernelError not_found */
  async outcome(chatId: string, id: string): Promise<Turn> {
    const record = isId(id) ? await this.#services.store.turns.getNamed(chatId, id) : undefined;
    if (record === undefined) throw new KernelError('not_found', `There is no turn ${id} in this chat.`);
    if (record.ended_at !== null) return toTurn(record, null);
    const turn = this.queues.turn(chatId, id);
    const fresh = this.#freshened(record);
    return toTurn(fresh, turn ? this.queues.waitingFor(turn) : toWaitingFor(fresh.status));
  }

  /** Shows a plan that was changed outside of the chat's turns, in the first turn or between turns. */
  showPlan(chatId: string, tasks: PlanTask[]): void {
    const queue = this.queues.find(chatId);
    const feed = queue?.turns[0]?.feed;
    if (feed && !feed.closed) feed.plan(tasks, timestamp(this.#services.clock));
    else queue?.notify({ type: 'plan', tasks });
  }

  /** Whether a client reads a queued or running turn, and the last text of its model. */
  seen(chatId: string, turnId: string): TurnActivity | undefined {
    const turn = this.queues.turn(chatId, turnId);
    return turn && { read: turn.feed.log.read, said: turn.outcome.lastText };
  }

  /** Drops a deleted chat, whose feeds must no longer be readable. */
  forget(chatId: string): void {
    this.queues.find(chatId)?.dismiss();
    this.#ended.forget(chatId);
    this.#unstored.forget(chatId);
    this.#unheard.forget(chatId);
  }

  /** Drops the events of ended turns after a rewind, because some of them belong to deleted history. */
  rewound(chatId: string): void {
    this.#ended.forget(chatId);
  }

  /**
   * Stores the ends of turns that could not be stored earlier, and restores turns whose start was stored without an
   * answer. Rejects if the store does not answer.
   */
  async settle(chatId: string): Promise<void> {
    await this.#unstored.settle(chatId);
    await this.#unheard.settle(chatId);
  }

  /** Messages that were published to readers but are not stored yet, oldest first (SAFE-5). */
  unstored(chatId: string): NewMessage[] {
    const running = this.queues.find(chatId)?.turns[0];
    return [...this.#unstored.messages(chatId), ...(running?.writes.unsavedMessages ?? [])];
  }

  /** Refuses all further starts. */
  refuse(): void {
    this.refuses = true;
    this.#closing.abort(shuttingDown());
  }

  /**
   * Stops all turns; called once no start is in progress. Running turns get `graceMs`, then they are closed as after a
   * crash.
   */
  async stop(graceMs: number): Promise<void> {
    let pass = () => {};
    const deadline = new Promise<void>(resolve => {
      pass = this.#services.clock.after(graceMs, resolve);
    });
    await Promise.all(this.queues.all.map(queue => queue.stop(deadline)));
    pass();
    this.#unheard.stop();
    const chats = await this.#unstored.stop();
    this.#services.steps.journal.close();
    if (chats > 0) this.#services.log.error({ chats }, 'storing the ends of turns failed before the stop');
  }

  async #drop(chatId: string, turns: readonly RunningTurn[]): Promise<DroppedTurn[]> {
    return turns.length === 0 ? [] : cancelQueuedTurns(turns, this.queues.of(chatId), this.#services);
  }

  async #run(turn: RunningTurn, placed: boolean): Promise<void> {
    await loopTime();
    const { chat_id } = turn.record;
    turn.writes.previous = this.#unstored.last(chat_id);
    const { events, observer } = this.#services;
    events.turnStarted(turn.record);
    await inTrace(turn.record.parameters.trace, () =>
      observer.run(turn, () => runTurn(turn, placed, this.#services)),
    );
    await afterTurn(turn, this.#places, this.#services);
  }

  /** The record of a turn that has not ended in the store, with its current state. */
  #freshened(record: TurnRecord): TurnRecord {
    const turn = this.queues.turn(record.chat_id, record.id);
    if (turn) {
      const { id: model, usage } = turn.model;
      const { effort } = turn;
      return { ...record, status: this.queues.statusOf(turn), effort, usage, model };
    }
    const unstored = this.#unstored.find(record.chat_id, record.id);
    return {
      ...record,
      ...unstored?.writes.unsaved,
      ...(unstored && { usage: unstored.model.usage, model: unstored.model.id }),
    };
  }
}
