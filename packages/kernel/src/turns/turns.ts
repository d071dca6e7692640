/** All turns of all chats: started, watched, cancelled, taken up again after a restart. */
import {
  type CancelResult,
  type DroppedTurn,
  KernelError,
  type PlanTask,
  type Turn,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { memoryBudget } from '../base/memory-budget.ts';
import { EndedFeeds } from '../feed/ended-feeds.ts';
import type { ResumedReader } from '../feed/reader.ts';
import { type ChatRecord, type NewMessage, type TurnRecord, timestamp } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { afterTurn } from './after-turn.ts';
import { dropTurns } from './drop.ts';
import { type LiveRequest, liveReader } from './live-reader.ts';
import { outcomeOf } from './outcome.ts';
import { Queues } from './queues.ts';
import { ShownTurns } from './shown-turns.ts';
import { type ScheduledRun, type Sent, type StartedTurn, startTurn } from './start-turn.ts';
import { turnOf } from './turn-of.ts';
import { UnfinishedTurns } from './unfinished-turns.ts';
import { UnheardStarts } from './unheard-starts.ts';
import { UnstoredEnds } from './unstored-ends.ts';

const shuttingDown = () => new KernelError('shutting_down', 'The kernel is shutting down: try again soon.');

export class Turns {
  readonly #services: TurnServices;
  readonly queues: Queues;
  readonly shown: ShownTurns;
  readonly #ended: EndedFeeds;
  readonly #unstored: UnstoredEnds;
  #stopping = false;
  readonly #unfinished: UnfinishedTurns;
  readonly #unheard: UnheardStarts;
  /** Aborted when the kernel stops, so that no start waits for a module any more. */
  readonly #closing = new AbortController();

  constructor(services: TurnServices) {
    this.#services = services;
    this.queues = new Queues((turn, placed) => this.#run(turn, placed), services.sleeper);
    this.shown = new ShownTurns(this.queues, services);
    this.#ended = new EndedFeeds(services.clock, memoryBudget(services.settings.memory).endedFeeds);
    this.#unstored = new UnstoredEnds(services.clock);
    this.#unfinished = new UnfinishedTurns(services, {
      queues: this.queues,
      ended: this.#ended,
      unstored: this.#unstored,
    });
    this.#unheard = new UnheardStarts(services.clock, start => this.#unfinished.goOn(start));
  }

  /**
   * Closes the turns that a crash left running, and goes on with those that waited.
   * @param adoptAll adopts what nobody owns, where several kernels share the database
   */
  recover(adoptAll?: () => Promise<void> | undefined): Promise<void> {
    return this.#unfinished.recover(adoptAll);
  }

  /** Goes on with the turns of a chat that this kernel has just taken (FLEET-3). */
  adopt(chatId: string): Promise<void> {
    return this.#unfinished.adopt(chatId);
  }

  /** Forgets a chat that belongs to another kernel by now: its turns end without a word. */
  lose(chatId: string): void {
    const { histories } = this.#services;
    const queue = this.queues.remove(chatId);
    queue?.abandon();
    for (const turn of queue?.turns ?? []) turn.fence();
    this.#ended.forget(chatId);
    this.#unstored.forget(chatId);
    this.#unheard.forget(chatId);
    histories.forget(chatId);
  }

  /** Whether nothing of a chat is under way, and nobody follows it. */
  isIdle(chatId: string): boolean {
    return this.queues.find(chatId) === undefined && this.#unstored.last(chatId) === undefined;
  }

  /** Whether turns of a chat have not ended in the store, as far as this kernel knows. */
  hasTurns(chatId: string): boolean {
    const turns = this.queues.find(chatId)?.turns ?? [];
    return turns.length > 0 || this.#unstored.last(chatId) !== undefined;
  }

  /** Stores the message and starts or queues its turn, as `startTurn` says. */
  async start(chat: ChatRecord, request: TurnRequest, sent?: Sent, run?: ScheduledRun): Promise<StartedTurn> {
    if (this.#stopping) throw shuttingDown();
    await this.settle(chat.id);
    await this.#unheard.settle(chat.id);
    const places = {
      queues: this.queues,
      ended: this.#ended,
      unheard: this.#unheard,
      closing: this.#closing.signal,
    };
    return startTurn({ chat, request, sent, run }, places, this.#services);
  }

  /**
   * A reader of the turn that runs or is the first to wait, and with `follow` of those to come; null where there is
   * none.
   */
  live(chatId: string, request: LiveRequest): ResumedReader | null {
    return liveReader(chatId, request, this.queues, this.#ended);
  }

  /**
   * Ends the turn that runs (TURN-10), or drops the one that sleeps before it began; with `queued` also drops all that
   * wait (WAIT-4). Resolves once they have ended.
   */
  async cancel(chatId: string, queued: boolean): Promise<CancelResult> {
    const queue = this.queues.find(chatId);
    const waiting = queue?.waiting ?? [];
    const dropping = queued ? waiting : waiting.filter(turn => turn === queue?.turns[0]);
    // Turns are dropped first, so that none of them begins when the running one has ended.
    const [dropped, ran] = await Promise.all([this.#drop(chatId, dropping), queue?.cancel() ?? null]);
    const turn_id = ran?.record.id ?? dropped[0]?.turn_id ?? null;
    return { cancelled: turn_id !== null, turn_id, ...(queued && { dropped }) };
  }

  /**
   * Drops the turn that waits with this message, and those behind it (WAIT-4). Empty where the message does not wait.
   */
  dropFrom(chatId: string, messageId: string): Promise<DroppedTurn[]> {
    const waiting = this.queues.find(chatId)?.waiting ?? [];
    const first = waiting.findIndex(({ record }) => record.message_id === messageId);
    return this.#drop(chatId, first === -1 ? [] : waiting.slice(first));
  }

  /** How a turn stands or ended (TURN-12). @throws KernelError not_found */
  async outcome(chatId: string, id: string): Promise<Turn> {
    const record = isId(id) ? await turnOf(chatId, id, this.#services.store) : undefined;
    if (record === undefined) throw new KernelError('not_found', `There is no turn ${id} in this chat.`);
    return outcomeOf(record.ended_at === null ? this.#freshened(record) : record);
  }

  /** Shows a plan that was changed from outside of the turns of the chat. */
  showPlan(chatId: string, tasks: PlanTask[]): void {
    const feed = this.queues.find(chatId)?.current;
    if (feed && !feed.closed) feed.plan(tasks, timestamp(this.#services.clock));
  }

  /** How a turn is read that has not left its queue, and what its model said last. */
  seen(chatId: string, turnId: string): { read: boolean; said: string } | undefined {
    const turn = this.queues.turn(chatId, turnId);
    return turn && { read: turn.feed.log.read, said: turn.outcome.lastText };
  }

  /** Forgets a deleted chat, whose feeds nobody may read any more. */
  forget(chatId: string): void {
    for (const turn of this.queues.find(chatId)?.turns ?? []) this.#services.journal.ended(turn.record.id);
    this.queues.find(chatId)?.dismiss();
    this.#ended.forget(chatId);
    this.#unstored.forget(chatId);
    this.#unheard.forget(chatId);
  }

  /** Forgets the events of ended turns of a chat whose history was cut: some of them tell what is no more part of it. */
  rewound(chatId: string): void {
    this.#ended.forget(chatId);
  }

  /** Stores the end of a turn that could not be stored when it came. Rejects where it still cannot. */
  settle(chatId: string): Promise<void> {
    return this.#unstored.settle(chatId);
  }

  /** Messages that readers of the chat were told and the store does not have yet, the oldest first (SAFE-5). */
  unstored(chatId: string): NewMessage[] {
    const running = this.queues.find(chatId)?.turns[0];
    return [...this.#unstored.messages(chatId), ...(running?.writes.unsavedMessages ?? [])];
  }

  /** Whether no turn starts any more. */
  get refuses(): boolean {
    return this.#stopping;
  }

  /** Refuses all further starts. */
  refuse(): void {
    this.#stopping = true;
    this.#closing.abort(shuttingDown());
  }

  /**
   * Stops all turns; called once no start is under way. Running turns get `graceMs`, then they are closed as after a
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
    this.#services.journal.close();
    if (chats > 0)
      this.#services.log.error({ chats }, 'the ends of turns could not be stored before the stop');
  }

  async #drop(chatId: string, turns: readonly RunningTurn[]): Promise<DroppedTurn[]> {
    return turns.length === 0 ? [] : dropTurns(turns, this.queues.of(chatId), this.#services);
  }

  async #run(turn: RunningTurn, placed: boolean): Promise<void> {
    const { chat_id } = turn.record;
    turn.previousUnstored = this.#unstored.last(chat_id);
    const { events } = this.#services;
    turn.life.stored.then(
      () => events.turnStarted(turn.record),
      () => {},
    );
    await runTurn(turn, placed, this.#services);
    const places = { ended: this.#ended, unstored: this.#unstored, unheard: this.#unheard };
    await afterTurn(turn, places, this.#services);
  }

  /** The record of a turn that has not ended in the store, with its state of this moment. */
  #freshened(record: TurnRecord): TurnRecord {
    const turn = this.queues.turn(record.chat_id, record.id);
    if (turn) {
      const { effort, usage, model } = turn;
      return { ...record, status: this.queues.statusOf(turn), effort, usage, model };
    }
    const unstored = this.#unstored.find(record.chat_id, record.id);
    return {
      ...record,
      ...unstored?.writes.unsaved,
      ...(unstored && { usage: unstored.usage, model: unstored.model }),
    };
  }
}
