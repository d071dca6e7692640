/** Reads the history of a chat for its view: the newest page as often as it is asked for, and older ones. */
import type { KernelClient } from '../client/client.ts';
import { isPassing } from '../http/errors.ts';
import { type ItemHistory, NO_HISTORY, withNewest, withOlder } from '../items/history.ts';
import { Patience } from '../streams/patience.ts';
import type { LiveTurns } from './live-turns.ts';

interface HistoryReaderOptions {
  /** Messages a page. */
  pageSize: number;
  /** The first wait after a failure, milliseconds. */
  retryMs: number | undefined;
  /** Aborted: reading ends. */
  signal: AbortSignal;
  /** A target whose `online` events end a wait. */
  hurry: EventTarget;
  changed(): void;
  /** Ends the view: the kernel refuses. */
  failed(error: unknown): void;
}

export class HistoryReader {
  readonly #client: KernelClient;
  readonly #chatId: string;
  readonly #turns: LiveTurns;
  readonly #options: HistoryReaderOptions;
  #history: ItemHistory = NO_HISTORY;
  #older: Promise<void> | null = null;
  #newest: Promise<void> | null = null;
  #readAgain = false;

  /** @param turns told what the history has of them */
  constructor(client: KernelClient, chatId: string, turns: LiveTurns, options: HistoryReaderOptions) {
    this.#client = client;
    this.#chatId = chatId;
    this.#turns = turns;
    this.#options = options;
  }

  get history(): ItemHistory {
    return this.#history;
  }

  get isReadingOlder(): boolean {
    return this.#older !== null;
  }

  /** Reads the newest page again; resolves when it is there, or the view has ended. */
  refresh(): Promise<void> {
    this.#readAgain = true;
    this.#newest ??= this.#readNewest();
    return this.#newest;
  }

  /** Reads the page before the oldest item, one at a time. @throws KernelApiError, BrokenLine; nothing once the view has ended */
  readOlder(): Promise<void> {
    const { signal, changed } = this.#options;
    this.#older ??= this.#readBefore()
      .catch(error => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        this.#older = null;
        changed();
      });
    changed();
    return this.#older;
  }

  /** Reads as often as it was asked for meanwhile: a page that is on its way may be older than the wish for it. */
  async #readNewest(): Promise<void> {
    const { retryMs = 1000, signal, hurry, failed } = this.#options;
    const patience = new Patience({ total: Infinity, first: retryMs, longest: 30_000, online: hurry });
    await null;
    while (this.#readAgain && !signal.aborted) {
      this.#readAgain = false;
      try {
        await this.#readPage();
      } catch (error) {
        if (!isPassing(error)) failed(error);
        this.#readAgain = true;
        // The view may close meanwhile.
        await patience.wait(error, signal).catch(() => {});
      }
    }
    // Here and not later: a wish from now on starts a reading of its own.
    this.#newest = null;
  }

  async #readPage(): Promise<void> {
    const { pageSize, signal, changed } = this.#options;
    const ended = this.#turns.shown.filter(({ done }) => done !== null);
    const knownPlan = this.#turns.plan;
    // The end of a turn may have come while the line was broken: then the page that is read next has all of it.
    const open = this.#turns.last;
    const isOver = open?.done === null && (await this.#isOver(open.turn_id));
    const [page, plan] = await Promise.all([
      this.#client.listItems(this.#chatId, { limit: pageSize }, { signal }),
      this.#client.getPlan(this.#chatId, { signal }),
    ]);
    this.#history = withNewest(this.#history, page);
    this.#turns.settlePlan(knownPlan, plan.tasks);
    this.#turns.settle(ended);
    if (isOver && this.#turns.last?.turn_id === open.turn_id) this.#turns.forget();
    changed();
  }

  async #isOver(turnId: string | null): Promise<boolean> {
    if (turnId === null) return false;
    const { ended_at } = await this.#client.getTurn(this.#chatId, turnId, { signal: this.#options.signal });
    return ended_at !== null;
  }

  async #readBefore(): Promise<void> {
    const { pageSize, signal } = this.#options;
    await this.#newest;
    const { before } = this.#history;
    if (before === null || before === undefined) return;
    const page = await this.#client.listItems(this.#chatId, { limit: pageSize, before }, { signal });
    // A gap may have opened meanwhile: then this page no longer joins what is shown.
    if (this.#history.before === before) this.#history = withOlder(this.#history, page);
  }
}
