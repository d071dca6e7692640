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

export type HistoryReader = ReturnType<typeof historyReader>;

export function historyReader({
  client,
  chatId,
  turns,
  pageSize,
  retryMs = 1000,
  signal,
  hurry,
  changed,
  failed,
}: HistoryReaderOptions) {
  let history: ItemHistory = NO_HISTORY;
  let older: Promise<void> | null = null;
  let newest: Promise<void> | null = null;
  let readAgain = false;

  const isOver = async (turnId: string | null): Promise<boolean> =>
    turnId !== null && (await client.getTurn(chatId, turnId, { signal })).ended_at !== null;

  const readPage = async (): Promise<void> => {
    const ended = turns.shown.filter(({ done }) => done !== null);
    const knownPlan = turns.plan;
    // The turn may have ended while the connection was interrupted: then the next page contains all of it.
    const open = turns.last;
    const hasEnded = open?.done === null && (await isOver(open.turn_id));
    const [page, plan] = await Promise.all([
      client.listItems(chatId, { limit: pageSize }, { signal }),
      client.getPlan(chatId, { signal }),
    ]);
    history = withNewest(history, page);
    turns.settlePlan(knownPlan, plan.tasks);
    turns.settle(ended);
    if (hasEnded && turns.last?.turn_id === open.turn_id) turns.forget();
    changed();
  };

  /** Reads again if another request came in the meantime: the page being loaded may be older than that request. */
  const readNewest = async (): Promise<void> => {
    const patience = new RetryBackoff({ total: Infinity, first: retryMs, longest: 30_000, online: hurry });
    await null;
    while (readAgain && !signal.aborted) {
      readAgain = false;
      try {
        await readPage();
      } catch (error) {
        if (!isRetryable(error)) failed(error);
        readAgain = true;
        // The view may be closed during the wait.
        await patience.wait(error, signal).catch(() => {});
      }
    }
    // Reset here and not later: a request from now on starts a new read.
    newest = null;
  };

  const readBefore = async (): Promise<void> => {
    await newest;
    const { before } = history;
    if (before === null || before === undefined) return;
    const page = await client.listItems(chatId, { limit: pageSize, before }, { signal });
    // A gap may have opened in the meantime: then this page no longer joins the shown items.
    if (history.before === before) history = withOlder(history, page);
  };

  return {
    get history() {
      return history;
    },

    isReadingOlder: (): boolean => older !== null,

    /** Reads the newest page again; resolves when it is loaded, or the view has ended. */
    refresh(): Promise<void> {
      readAgain = true;
      newest ??= readNewest();
      return newest;
    },

    /**
     * Reads the page before the oldest item, one at a time.
     * @throws KernelApiError, ConnectionError; never after the view has ended
     */
    readOlder(): Promise<void> {
      older ??= readBefore()
        .catch(error => {
          if (!signal.aborted) throw error;
        })
        .finally(() => {
          older = null;
          changed();
        });
      changed();
      return older;
    },
  };
}
