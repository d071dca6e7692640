/** All turns of all chats: started, watched, cancelled, taken up again after a restart. */
import {
  type CancelResult,
  type Chat,
  type EventType,
  KernelError,
  type PlanTask,
  type Turn,
  type TurnEnd,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { v7 as uuidv7 } from 'uuid';
import { isId } from '../chat/cursor.ts';
import type { TurnFeed } from '../feed/feed.ts';
import { FollowReader } from '../feed/follow.ts';
import { eventPosition, FeedReader, type Reader } from '../feed/reader.ts';
import { rebuildFeed } from '../feed/rebuild.ts';
import { type ChatRecord, type TurnRecord, timestamp } from '../ports/index.ts';
import { NOTHING_USED } from './books.ts';
import { takeIn } from './intake.ts';
import { Lane } from './lane.ts';
import { RunningTurn, type Workshop } from './running.ts';
import { closeAfterCrash, effortBefore, runTurn } from './turn.ts';

/** A feed stays this long after its turn, for readers that lost their line. */
const KEEP_FEED_MS = 60_000;
/** All kept feeds together weigh no more than this many characters; the oldest go first. */
const KEEP_FEED_CHARS = 16 * 1024 * 1024;
/** An idempotency key is known this long. */
const KEEP_KEY_MS = 24 * 60 * 60 * 1000;

export interface StartedTurn {
  turn_id: string;
  /** The stored user message. */
  message_id: string;
  feed: TurnFeed;
  /** An idempotency key named a turn that exists: what is in the feed is a replay. */
  repeated: boolean;
}

export interface LiveRequest {
  mute: ReadonlySet<EventType>;
  follow: boolean;
  /** Last-Event-ID. */
  after?: string;
}

export class Turns {
  readonly #workshop: Workshop;
  readonly #lanes = new Map<string, Lane>();
  /** Feeds of turns that ended a short time ago, by turn id. */
  readonly #ended = new Map<string, { chat_id: string; feed: TurnFeed }>();
  #endedChars = 0;
  #stopping = false;

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
  }

  /** Closes the turns that a crash left running, and goes on with those that waited. */
  async recover(): Promise<void> {
    for (const record of await this.#workshop.store.unfinishedTurns()) {
      const turn = new RunningTurn(record, this.#workshop);
      if (record.status === 'running') await closeAfterCrash(turn, this.#workshop);
      else this.#lane(record.chat_id).add(turn, false);
    }
  }

  /**
   * Stores the message and starts or queues its turn. One call at a time for each chat.
   * @throws KernelError empty_message, unknown_model, unknown_file, invalid_value, turn_running, idempotency_mismatch
   */
  async start(chat: ChatRecord, request: TurnRequest, idempotencyKey?: string): Promise<StartedTurn> {
    if (this.#stopping)
      throw new KernelError('shutting_down', 'The kernel is shutting down: try again soon.');
    const { store, models, clock, histories } = this.#workshop;
    const id = uuidv7();
    const { message, parameters, images, fingerprint } = takeIn(chat.id, id, request, models, clock);
    if (idempotencyKey !== undefined) {
      const repeated = await this.#repeated(chat.id, idempotencyKey, fingerprint);
      if (repeated !== null) return repeated;
    }
    const lane = this.#lane(chat.id);
    const first = lane.turns.length === 0;
    if (!first && request.on_busy === 'reject') {
      throw new KernelError(
        'turn_running',
        'A turn of this chat is running; leave on_busy out to queue behind it.',
      );
    }
    for (const { record, bytes } of images) await store.saveImage(record, bytes);

    const created_at = message.created_at;
    const record: TurnRecord = {
      id,
      chat_id: chat.id,
      message_id: message.id,
      status: first ? 'running' : 'queued',
      model: null,
      effort: effortBefore(chat, parameters, message, this.#workshop),
      created_at,
      started_at: first ? created_at : null,
      ended_at: null,
      usage: NOTHING_USED,
      stop_reason: null,
      error: null,
      parameters,
      checkpoint: null,
    };
    const title =
      chat.title === null && request.chat_title !== undefined ? { title: request.chat_title } : {};
    await store.createTurn(record, message, {
      place: first,
      chat: { last_message_at: created_at, updated_at: created_at, ...title },
      ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey, fingerprint, created_at } }),
    });
    if (first) histories.append(chat.id, [message]);
    const turn = new RunningTurn(record, this.#workshop);
    lane.add(turn, first);
    return { turn_id: id, message_id: message.id, feed: turn.feed, repeated: false };
  }

  /** A reader of the turn that runs or waits first, and with follow of those to come; null where there is nothing. */
  live(chatId: string, { mute, follow, after }: LiveRequest): Reader | null {
    const lane = this.#lane(chatId);
    const reading = { mute, replay: true, ...(after !== undefined && { after }) };
    const feeds = [this.#unreadEnd(chatId, after), lane.current].filter(feed => feed !== undefined);
    if (follow) return new FollowReader(lane, feeds, reading);
    this.#sweep(chatId);
    return feeds[0] ? new FeedReader(feeds[0], reading) : null;
  }

  /** Ends the running turn (TURN-10), with `queued` also those that wait; waits until they have ended. */
  async cancel(chatId: string, queued: boolean): Promise<CancelResult> {
    const turn = (await this.#lanes.get(chatId)?.cancel(queued)) ?? null;
    return { cancelled: turn !== null, turn_id: turn?.record.id ?? null };
  }

  /** The turn that now runs or waits first. */
  current(chatId: string): Chat['turn'] {
    const lane = this.#lanes.get(chatId);
    const turn = lane?.turns[0];
    return turn ? { id: turn.record.id, status: this.#statusOf(turn) } : null;
  }

  /** The id of the turn that runs. */
  running(chatId: string): string | null {
    const current = this.current(chatId);
    return current?.status === 'running' ? current.id : null;
  }

  /** How a turn stands or ended (TURN-12). @throws KernelError not_found */
  async outcome(chatId: string, id: string): Promise<Turn> {
    const record = isId(id) ? await this.#workshop.store.turn(chatId, id) : undefined;
    if (record === undefined) throw new KernelError('not_found', `There is no turn ${id} in this chat.`);
    const turn = this.#lanes.get(chatId)?.turns.find(other => other.record.id === id);
    const { error, ...shown } = turn
      ? {
          ...record,
          status: this.#statusOf(turn),
          effort: turn.effort,
          usage: turn.usage,
          model: turn.model?.record.id ?? record.model,
        }
      : record;
    const { chat_id, status, model, effort, started_at, ended_at, usage } = shown;
    return { id, chat_id, status, model, effort, started_at, ended_at, usage, ...(error && { error }) };
  }

  /** The plan of a chat changed from outside its turns. */
  showPlan(chatId: string, tasks: PlanTask[]): void {
    const feed = this.#lanes.get(chatId)?.current;
    if (feed && !feed.closed) feed.plan(tasks, timestamp(this.#workshop.clock));
  }

  /** A chat is gone: nobody may read its feeds. */
  forget(chatId: string): void {
    this.#lanes.get(chatId)?.dismiss();
    for (const [id, { chat_id }] of this.#ended) if (chat_id === chatId) this.#drop(id);
  }

  /** No turn starts any more; running ones get `graceMs`, then they are closed as after a crash. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    let pass = () => {};
    const deadline = new Promise<void>(resolve => {
      pass = this.#workshop.clock.after(graceMs, resolve);
    });
    await Promise.all([...this.#lanes.values()].map(lane => lane.stop(deadline)));
    pass();
  }

  #statusOf(turn: RunningTurn): 'running' | 'queued' | 'sleeping' {
    if (this.#lanes.get(turn.record.chat_id)?.runs(turn)) return 'running';
    return turn.record.status === 'sleeping' ? 'sleeping' : 'queued';
  }

  #lane(chatId: string): Lane {
    let lane = this.#lanes.get(chatId);
    if (lane === undefined) {
      lane = new Lane(async (turn, placed) => {
        await runTurn(turn, placed, this.#workshop);
        this.#keep(turn);
        // Not before the lane has let the turn go.
        setImmediate(() => this.#sweep(chatId));
      });
      this.#lanes.set(chatId, lane);
    }
    return lane;
  }

  /** Chats that nobody uses leave memory. */
  #sweep(chatId: string): void {
    if (this.#lanes.get(chatId)?.idle) this.#lanes.delete(chatId);
  }

  #keep({ record, feed }: RunningTurn): void {
    this.#ended.set(record.id, { chat_id: record.chat_id, feed });
    this.#endedChars += feed.chars;
    this.#workshop.clock.after(KEEP_FEED_MS, () => this.#drop(record.id));
    for (const id of this.#ended.keys()) {
      if (this.#endedChars <= KEEP_FEED_CHARS) break;
      this.#drop(id);
    }
  }

  #drop(turnId: string): void {
    this.#endedChars -= this.#ended.get(turnId)?.feed.chars ?? 0;
    this.#ended.delete(turnId);
  }

  /** The feed of an ended turn of which the reader has not seen the end. */
  #unreadEnd(chatId: string, after: string | undefined): TurnFeed | undefined {
    const seen = eventPosition(after);
    const kept = seen && this.#ended.get(seen.turn_id);
    if (kept === undefined || kept.chat_id !== chatId) return undefined;
    return seen && seen.n < kept.feed.frames.length - 1 ? kept.feed : undefined;
  }

  async #repeated(chatId: string, key: string, fingerprint: string): Promise<StartedTurn | null> {
    const { store, clock } = this.#workshop;
    const since = new Date(clock.now() - KEEP_KEY_MS).toISOString();
    const known = await store.turnByKey(chatId, key, since);
    if (known === undefined) return null;
    if (known.fingerprint !== fingerprint) {
      throw new KernelError(
        'idempotency_mismatch',
        `Idempotency-Key ${key} started a turn with another request.`,
      );
    }
    const { turn } = known;
    const feed =
      this.#lanes.get(chatId)?.turns.find(other => other.record.id === turn.id)?.feed ??
      this.#ended.get(turn.id)?.feed ??
      rebuildFeed(turn as TurnRecord & { status: TurnEnd }, await store.turnMessages(chatId, turn.id));
    return { turn_id: turn.id, message_id: turn.message_id, feed, repeated: true };
  }
}
