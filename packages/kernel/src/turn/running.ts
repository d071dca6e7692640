/** A turn that runs: its record, its feed, its draft, and the one signal that ends it. */
import type { TurnEffort, Usage } from '@chat-kernel/protocol';
import { TurnFeed } from '../feed/feed.ts';
import type { Histories } from '../history/histories.ts';
import type {
  ChatRecord,
  Clock,
  LanguageModel,
  Log,
  MessageDraft,
  Models,
  SpendRow,
  Store,
  Tool,
  TurnRecord,
  TurnWrite,
} from '../ports/index.ts';
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
  clock: Clock;
  log: Log;
  settings: TurnSettings;
}

export interface TurnSettings {
  reasoning: TurnEffort['value'];
  max_steps: number;
  system_prompt: string | null;
}

export class RunningTurn {
  readonly record: TurnRecord;
  readonly feed: TurnFeed;
  readonly draft: Draft;
  /** The messages it has written, in order. */
  readonly message_ids: string[] = [];
  usage: Usage = NOTHING_USED;
  readonly #workshop: Workshop;
  readonly #abort = new AbortController();
  #writes: Promise<unknown> = Promise.resolve();
  /** Spent, and not yet in the books. */
  #unbooked: SpendRow | null = null;

  // Known once it begins.
  chat!: ChatRecord;
  model: LanguageModel | undefined;
  effort: TurnEffort;
  tools: ReadonlyMap<string, Tool> = new Map();
  sender: string | undefined;
  /** Tokens of the prompt before any message, as the last trip had them. */
  prefix_tokens: number | null = null;
  /** Call ids that the chat knows already. */
  callIds: Set<string> = new Set();

  constructor(record: TurnRecord, workshop: Workshop, feed = new TurnFeed(record.id)) {
    this.record = record;
    this.effort = record.effort;
    this.feed = feed;
    this.draft = new Draft(record, feed, workshop.clock);
    this.#workshop = workshop;
  }

  /** Aborted when the turn is to end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }

  /** Adds a trip to the books; it reaches the disk with the next write. */
  spend(used: Usage): void {
    this.usage = add(this.usage, used);
    const row = this.#unbooked ?? { model: this.model!.record.id, turns: 0, ...NOTHING_USED };
    this.#unbooked = { ...row, ...add(row, used) };
  }

  /** One transaction about this turn; writes reach the store in the order of their calls. */
  write(write: Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend'>): Promise<void> {
    const { store, histories } = this.#workshop;
    const { id: turn_id, chat_id } = this.record;
    const ends = write.turn.ended_at !== undefined;
    const spend = this.#takeSpend(ends);
    // Whatever is written, the outcome by id is as fresh as that (TURN-12).
    const turn = {
      model: this.model?.record.id ?? null,
      effort: this.effort,
      usage: this.usage,
      ...write.turn,
    };
    const written = this.#writes.then(async () => {
      await store.writeTurn({ ...write, turn, turn_id, chat_id, ...(spend && { spend }) });
      if (write.append) histories.append(chat_id, write.append);
    });
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

  #takeSpend(ends: boolean): SpendRow | null {
    const row = this.#unbooked;
    this.#unbooked = null;
    if (row !== null) return { ...row, turns: ends ? 1 : 0 };
    if (!ends || this.model === undefined) return null;
    return { model: this.model.record.id, turns: 1, ...NOTHING_USED };
  }
}
