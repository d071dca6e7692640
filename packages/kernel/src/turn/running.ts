/** A turn that runs or waits: its record, its feed, its draft, its writes, and the one signal that ends it. */
import type { TurnEffort, TurnEnd, Usage } from '@chat-kernel/protocol';
import { TurnFeed } from '../feed/feed.ts';
import type { Histories } from '../history/histories.ts';
import type {
  ChatRecord,
  Clock,
  LanguageModel,
  Log,
  MessageDraft,
  Models,
  Store,
  Tool,
  TurnChanges,
  TurnRecord,
  TurnWrite,
} from '../ports/index.ts';
import type { Requests } from '../requests/requests.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import { add, NOTHING_USED } from './books.ts';
import { Draft } from './draft.ts';
import type { Ending } from './ending.ts';

/** What all turns work with. */
export interface Workshop {
  store: Store;
  models: Models;
  toolbox: Toolbox;
  histories: Histories;
  requests: Requests;
  clock: Clock;
  log: Log;
  settings: TurnSettings;
}

export interface TurnSettings {
  reasoning: TurnEffort['value'];
  max_steps: number;
  system_prompt: string | null;
  extra_tool_timeout_secs: number;
}

/** What one turn works with, found when it begins. */
export interface Kit {
  chat: ChatRecord;
  model: LanguageModel;
  tools: ReadonlyMap<string, Tool>;
  /** Undefined: the master speaks. */
  sender: string | undefined;
}

/** A write as the turn asks for it; which turn, and what it spent, is added. */
type Write = Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend'>;
type Whole = Write & { spent: Usage | null };

export class RunningTurn {
  readonly record: TurnRecord;
  readonly feed: TurnFeed;
  readonly draft: Draft;
  /** The messages it has written, in order. */
  readonly message_ids: string[] = [];
  usage: Usage;
  effort: TurnEffort;
  /** The id of its model; null until it begins. */
  model: string | null;
  /** How it ended. */
  ended: TurnEnd | null = null;
  /** Tokens of the prompt before any message, as the last trip had them. */
  prefix_tokens: number | null = null;
  /** Ends what the trip that runs has begun: its checkpoints, its bill. Another call does nothing. */
  endTrip: () => void = () => {};
  /** A turn before it of the same chat whose end is not stored yet: its writes come first. */
  behind: RunningTurn | undefined;
  readonly #workshop: Workshop;
  readonly #abort = new AbortController();
  #writes: Promise<unknown> = Promise.resolve();
  /** Spent since the last write. */
  #spent: Usage | null = null;
  /** What writes that failed were to store; the next one carries it. */
  #owed: Whole | null = null;

  constructor(record: TurnRecord, workshop: Workshop) {
    this.record = record;
    this.usage = record.usage;
    this.effort = record.effort;
    this.model = record.model;
    this.feed = new TurnFeed(record.id);
    this.draft = new Draft(record, this.feed, workshop.clock);
    this.#workshop = workshop;
  }

  /** Aborted when the turn is to end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The changes of its record that the store does not have yet; undefined where it has all. */
  get owes(): TurnChanges | undefined {
    return this.#owed?.turn;
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }

  /** Adds a trip to the books; it reaches the disk with the next write. */
  spend(used: Usage): void {
    this.usage = add(this.usage, used);
    this.#spent = sum(this.#spent, used);
  }

  /**
   * One transaction about this turn; writes reach the store in the order of their calls. What a write that
   * failed was to store is not lost: the next one carries it, in its order.
   */
  write(write: Write): Promise<void> {
    const written = this.#writes.then(() => this.#writeNow(write));
    this.#writes = written.catch(() => {});
    return written;
  }

  /** Stores what the step has made so far, should the process die (every 2 s and at each result). */
  checkpoint(): Promise<void> {
    return this.write({ turn: { checkpoint: structuredClone(this.draft.messages) } });
  }

  /** Stores messages of a finished step. */
  async store(messages: MessageDraft[]): Promise<void> {
    this.message_ids.push(...messages.map(message => message.id));
    await this.write({ turn: { checkpoint: null }, append: messages });
  }

  /** Stores what is owed, with these changes to it. Rejects where that still fails. */
  async settle(changes: TurnChanges = {}): Promise<void> {
    if (this.#owed) await this.write({ turn: changes });
  }

  async #writeNow(write: Write): Promise<void> {
    const { store, histories } = this.#workshop;
    const { id: turn_id, chat_id } = this.record;
    const owed = await this.#missing();
    const whole = joined(owed, { ...write, spent: this.#spent });
    this.#spent = null;
    this.#owed = whole;
    await this.behind?.settle();
    const { spent, turn, ...rest } = whole;
    const ends = turn.ended_at !== undefined;
    const { effort, model, usage } = this;
    const counts = model !== null && (spent !== null || ends);
    await store.writeTurn({
      ...rest,
      // Whatever is written, the outcome by id is as fresh as that (TURN-12).
      turn: { model, effort, usage, ...turn },
      turn_id,
      chat_id,
      ...(counts && { spend: { model, turns: ends ? 1 : 0, ...(spent ?? NOTHING_USED) } }),
    });
    this.#owed = null;
    this.behind = undefined;
    if (whole.append) histories.append(chat_id, whole.append);
  }

  /** What is owed; nothing, where the write that was told as failed has reached the store: its answer was lost. */
  async #missing(): Promise<Whole | null> {
    if (this.#owed === null) return null;
    const { store, histories } = this.#workshop;
    const { id, chat_id } = this.record;
    const { place, append = [] } = this.#owed;
    const ids = new Set([place, ...append.map(message => message.id)]);
    const stored = await store.turnMessages(chat_id, id).catch(() => []);
    if (!stored.some(message => message.position !== null && ids.has(message.id))) return this.#owed;
    histories.forget(chat_id);
    return null;
  }
}

/** Both writes as one. */
function joined(owed: Whole | null, next: Whole): Whole {
  if (owed === null) return next;
  const append = [...(owed.append ?? []), ...(next.append ?? [])];
  return {
    ...owed,
    ...next,
    turn: { ...owed.turn, ...next.turn },
    ...((owed.chat || next.chat) && { chat: { ...owed.chat, ...next.chat } }),
    ...(append.length > 0 && { append }),
    spent: sum(owed.spent, next.spent),
  };
}

const sum = (a: Usage | null, b: Usage | null): Usage | null => (a && b ? add(a, b) : (a ?? b));
