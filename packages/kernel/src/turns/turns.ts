/** All turns of all chats: started, watched, cancelled, taken up again after a restart. */
import {
  type CancelResult,
  type DroppedTurn,
  type EventType,
  KernelError,
  type PlanTask,
  type Turn,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { isId, newId } from '../base/ids.ts';
import { memoryBudget } from '../base/memory-budget.ts';
import { EndedFeeds } from '../feed/ended-feeds.ts';
import type { TurnFeed } from '../feed/feed.ts';
import { FollowReader } from '../feed/follow.ts';
import { FeedReader, type ResumedReader } from '../feed/reader.ts';
import { findFiles } from '../files/attached.ts';
import {
  type ChatRecord,
  type NewMessage,
  type RunClaim,
  type TraceContext,
  type TurnParameters,
  type TurnRecord,
  timestamp,
} from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { turnDone } from '../turn/stages.ts';
import { runTurn } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { dropTurns } from './drop.ts';
import { feedOf } from './feed-of.ts';
import { followed } from './followed.ts';
import { complete, hear } from './hearing.ts';
import { findRepeated, type Repeat } from './idempotency.ts';
import { takeIn } from './intake.ts';
import { closeLost } from './lost-turn.ts';
import { outcomeOf } from './outcome.ts';
import { Queues } from './queues.ts';
import { ShownTurns } from './shown-turns.ts';
import { newRecord, storeTurn } from './store-turn.ts';
import { turnOf } from './turn-of.ts';
import { UnfinishedTurns } from './unfinished-turns.ts';
import { UnstoredEnds } from './unstored-ends.ts';

export interface StartedTurn {
  turn_id: string;
  /** The id of the stored user message. */
  message_id: string;
  feed: TurnFeed;
  /** True where an idempotency key named an existing turn, so that its feed is read as a replay. */
  repeated: boolean;
}

/** What comes with a turn request beside its body. */
export interface Sent extends Repeat {
  trace?: TraceContext | undefined;
}

/** A turn that a schedule starts. */
interface ScheduledRun {
  claim: RunClaim;
  parameters: Pick<TurnParameters, 'max_cost_usd' | 'schedule'>;
}

export interface LiveRequest {
  mute: ReadonlySet<EventType>;
  follow: boolean;
  /** The header Last-Event-ID. */
  after?: string;
}

const shuttingDown = () => new KernelError('shutting_down', 'The kernel is shutting down: try again soon.');

export class Turns {
  readonly #services: TurnServices;
  readonly queues: Queues;
  readonly shown: ShownTurns;
  readonly #ended: EndedFeeds;
  readonly #unstored: UnstoredEnds;
  #stopping = false;
  readonly #unfinished: UnfinishedTurns;
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

  /**
   * Stores the message and starts or queues its turn. One call at a time for each chat.
   * @throws KernelError shutting_down, empty_message, unknown_model, unknown_file, tool_name_taken, invalid_value, turn_running,
   *   idempotency_mismatch
   */
  async start(
    chat: ChatRecord,
    request: TurnRequest,
    { trace, ...repeat }: Sent = {},
    run?: ScheduledRun,
  ): Promise<StartedTurn> {
    if (this.#stopping) throw shuttingDown();
    const { store, models, toolbox, clock, histories, sleeper } = this.#services;
    await this.settle(chat.id);
    const id = newId();
    const intake = takeIn(chat.id, id, request, models, toolbox, clock);
    Object.assign(intake.parameters, run?.parameters, trace && { trace });
    const { message, fingerprint } = intake;
    const files = await findFiles(request, store);
    const known = await findRepeated(chat.id, repeat, fingerprint, this.#services);
    if (known) {
      const { id: turn_id, message_id } = known;
      return {
        turn_id,
        message_id,
        feed: await feedOf(known, this.queues, this.#ended, store),
        repeated: true,
      };
    }
    const context = await hear(chat, request, intake, files, this.#services, this.#closing.signal);
    const first = this.queues.current(chat.id) === null && sleeper.state === null;
    if (this.queues.current(chat.id) !== null && request.on_busy === 'reject') {
      throw new KernelError(
        'turn_running',
        'A turn of this chat is running; leave on_busy out to queue behind it.',
      );
    }
    await complete(chat, request, message, files, context, this.#services);
    const status = first ? 'running' : sleeper.state === null ? 'queued' : 'sleeping';
    const record = newRecord(chat, { id, intake, status }, this.#services);
    const turn = new RunningTurn(record, this.#services);
    // Modules hear of the end of a turn even where it ends before it begins, so the context is needed now.
    turn.context = context;
    for (const { record: image, bytes } of intake.images) await store.images.save(image, bytes);
    // A run begins once nobody else can have claimed it.
    const readable = first && run === undefined && (await histories.canRead(chat.id));
    const stored = storeTurn(chat, turn, request, { intake, run: run?.claim, ...repeat }, this.#services);
    if (readable) turn.beginUnstored(stored);
    else await stored;
    if (run?.claim.chat) this.#services.events.chatCreated(run.claim.chat);
    if (first) histories.append(chat.id, [message]);
    const queue = this.queues.of(chat.id);
    queue.add(turn, first);
    // What could not be stored has left the chat before anything else begins there.
    await stored.catch(async error => {
      await queue.left(turn);
      throw error;
    });
    return { turn_id: id, message_id: message.id, feed: turn.feed, repeated: false };
  }

  /**
   * A reader of the turn that runs or is the first to wait, and with `follow` of those to come; null where there is
   * none.
   */
  live(chatId: string, { mute, follow, after }: LiveRequest): ResumedReader | null {
    const reading = { mute, replay: true, ...(after !== undefined && { after }) };
    const running = this.queues.find(chatId)?.current;
    if (follow) {
      const queue = this.queues.of(chatId);
      return new FollowReader(queue, followed(chatId, queue, this.#ended, after), reading);
    }
    const feed = this.#ended.unread(chatId, after) ?? running;
    return feed ? new FeedReader(feed.log, reading) : null;
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
    const { events, titles, spending } = this.#services;
    turn.life.stored.then(
      () => events.turnStarted(turn.record),
      () => {},
    );
    await runTurn(turn, placed, this.#services);
    if (turn.life.isFenced) {
      this.#services.journal.ended(turn.record.id);
      return;
    }
    spending.end(turn);
    if (!turn.life.isStored) {
      this.#services.journal.ended(turn.record.id);
      this.#services.histories.forget(chat_id);
      const lost = await closeLost(turn.record, this.#services);
      if (lost) this.#unstored.note(lost);
      return;
    }
    this.#unstored.note(turn);
    if (!turn.writes.unsaved) this.#services.journal.ended(turn.record.id);
    this.#ended.keep(chat_id, turn.feed);
    if (turn.outcome.status) {
      events.turnEnded(turn.record, turn.outcome.status);
      turnDone(turn, turn.outcome.status, this.#services.stages);
    }
    if (turn.outcome.status === 'completed')
      titles.afterTurn({ id: turn.record.id, chat_id, model: turn.model });
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
