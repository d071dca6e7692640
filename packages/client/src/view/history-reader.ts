/** Reads the history of a chat for its view: the newest page at each request, and older ones. */
import type { KernelClient } from '../client/client.ts';
import { isRetryable } from '../http/errors.ts';
import { type ItemHistory, NO_HISTORY, withNewest, withOlder } from '../items/history.ts';
import { RetryBackoff } from '../streams/retry-backoff.ts';
import type { LiveTurns } from './live-turns.ts';

interface HistoryReaderOptions {
  client: KernelClient;
  chatId: string;
  /** Live turns, which are updated by the history. */
  turns: LiveTurns;
  /** Messages per page. */
  pageSize: number;
  /** The first wait after a failure, milliseconds. */
  retryMs: number | undefined;
  /** An abort ends reading. */
  signal: AbortSignal;
  /** A target whose `online` events end a wait. */
  hurry: EventTarget;
  changed(): void;
  /** Ends the view, because the kernel refuses. */
  failed(error: unknown): void;
}

export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  #history: ItemHistory = NO_HISTORY;
  #older: Promise<void> | null = null;
  #newest: Promise<void> | null = null;
  #readAgain = false;

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
  }

  get history(): ItemHistory {
    return this.#history;
  }

  get isReadingOlder(): boolean {
    return this.#older !== null;
  }

  /** Reads the newest page again; resolves when it is loaded, or the view has ended. */
  refresh(): Promise<void> {
    this.#readAgain = true;
    this.#newest ??= this.#readNewest();
    return this.#newest;
  }

  /**
   * Reads the page before the oldest item, one at a time.
   * @throws KernelApiError, ConnectionError; never after the view has ended
   */
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

  /** Reads again if another request came in the meantime: the page being loaded may be older than that request. */
  async #readNewest(): Promise<void> {
    const { retryMs = 1000, signal, hurry, failed } = this.#options;
    const patience = new RetryBackoff({ total: Infinity, first: retryMs, longest: 30_000, online: hurry });
    await null;
    while (this.#readAgain && !signal.aborted) {
      this.#readAgain = false;
      try {
        await this.#readPage();
      } catch (error) {
        if (!isRetryable(error)) failed(error);
        this.#readAgain = true;
        // The view may be closed during the wait.
        await patience.wait(error, signal).catch(() => {});
      }
    }
    // Reset here and not later: a request from now on starts a new read.
    this.#newest = null;
  }

  async #readPage(): Promise<void> {
    const { client, chatId, turns, pageSize, signal, changed } = this.#options;
    const ended = turns.shown.filter(({ done }) => done !== null);
    const knownPlan = turns.plan;
    // The turn may have ended while the connection was interrupted: then the next page contains all of it.
    const open = turns.last;
    const isOver = open?.done === null && (await this.#isOver(open.turn_id));
    const [page, plan] = await Promise.all([
      client.listItems(chatId, { limit: pageSize }, { signal }),
      client.getPlan(chatId, { signal }),
    ]);
    this.#history = withNewest(this.#history, page);
    turns.settlePlan(knownPlan, plan.tasks);
    turns.settle(ended);
    if (isOver && turns.last?.turn_id === open.turn_id) turns.forget();
    changed();
  }

  async #isOver(turnId: string | null): Promise<boolean> {
    if (turnId === null) return false;
    const { client, chatId, signal } = this.#options;
    const { ended_at } = await client.getTurn(chatId, turnId, { signal });
    return ended_at !== null;
  }

  async #readBefore(): Promise<void> {
    const { client, chatId, pageSize, signal } = this.#options;
    await this.#newest;
    const { before } = this.#history;
    if (before === null || before === undefined) return;
    const page = await client.listItems(chatId, { limit: pageSize, before }, { signal });
    // A gap may have opened in the meantime: then this page no longer joins the shown items.
    if (this.#history.before === before) this.#history = withOlder(this.#history, page);
  }
}
