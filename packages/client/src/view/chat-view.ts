/**
 * A chat as a client shows it: its newest history, older pages when they are wanted, and what happens in it, joined
 * into one list. It follows the chat over broken lines and restarts of the kernel until it is closed.
 *
 * `subscribe` and `getSnapshot` are what React's useSyncExternalStore takes.
 */
import type { PlanTask, TurnRequest } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isPassing } from '../http/errors.ts';
import { type ItemHistory, NO_HISTORY, withNewest, withOlder } from '../items/history.ts';
import { timeline } from '../items/timeline.ts';
import { Patience } from '../streams/patience.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';
import type { StartedTurn } from '../streams/turn-stream.ts';
import type { ChatViewOptions } from './chat-view-options.ts';
import { LiveTurns } from './live-turns.ts';
import { remembering } from './remembering.ts';
import { type ChatSnapshot, EMPTY_SNAPSHOT } from './snapshot.ts';

export class ChatView {
  readonly chatId: string;
  readonly #client: KernelClient;
  readonly #options: ChatViewOptions;
  readonly #pageSize: number;
  readonly #closing = new AbortController();
  readonly #hurry = new EventTarget();
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #turns = new LiveTurns();
  readonly #timeline = remembering(timeline);
  #history: ItemHistory = NO_HISTORY;
  #plan: readonly PlanTask[] = [];
  #connection: StreamConnection = { state: 'connecting' };
  #failure: Error | null = null;
  #older: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  #readAgain = false;
  #snapshot: ChatSnapshot = EMPTY_SNAPSHOT;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Opens at once. Whoever has no more use for it closes it. */
  constructor(client: KernelClient, chatId: string, { pageSize = 50, ...options }: ChatViewOptions = {}) {
    this.chatId = chatId;
    this.#client = client;
    this.#options = options;
    this.#pageSize = pageSize;
    const signals = [options.signal, this.#closing.signal].filter(signal => signal !== undefined);
    this.#signal = AbortSignal.any(signals);
    void this.#follow();
  }

  /** Called back at each change, once for all that changes in a tick. The answer takes it back. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): ChatSnapshot => this.#snapshot;

  /** Resolves with the first snapshot that fits, now or later. Rejects when the view ends before. */
  until(fits: (snapshot: ChatSnapshot) => boolean): Promise<ChatSnapshot> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const { failure, connection } = this.#snapshot;
        const over = failure ?? (connection.state === 'closed' ? new Error('The view was closed.') : null);
        if (fits(this.#snapshot)) resolve(this.#snapshot);
        else if (over) reject(over);
        else return;
        stop();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /**
   * Sends a message; resolves once it is stored. What the turn does comes by the view. Repeated until it is known to
   * have arrived, under one idempotency key. @throws KernelApiError, ConnectionLost
   */
  async send(request: TurnRequest, options: { idempotencyKey?: string } = {}): Promise<StartedTurn> {
    const { retryMs, silenceMs } = this.#options;
    const stream = this.#client.turn(this.chatId, request, {
      ...options,
      retryMs,
      silenceMs,
      signal: this.#signal,
    });
    const started = await stream.started;
    await stream.leave();
    this.#turns.announce(started.turn_id);
    this.#changed();
    void this.refresh();
    return started;
  }

  /**
   * Reads the page before the oldest item; one at a time. Does nothing at the beginning of the chat.
   * @throws KernelApiError, BrokenLine; nothing once the view has ended
   */
  loadOlder(): Promise<void> {
    this.#older ??= this.#readOlder()
      .catch(error => {
        // Who closes the view wants no more of it.
        if (!this.#signal.aborted) throw error;
      })
      .finally(() => {
        this.#older = null;
        this.#changed();
      });
    this.#changed();
    return this.#older;
  }

  /** Reads the newest page again, such as after a rewind; resolves when it is there, or the view has ended. */
  refresh(): Promise<void> {
    this.#readAgain = true;
    this.#reading ??= this.#readNewest();
    return this.#reading;
  }

  /** Where it waits to reconnect, it does so at once. */
  reconnectNow(): void {
    this.#hurry.dispatchEvent(new Event('online'));
  }

  /** Hangs up. The turn goes on. */
  close(): void {
    this.#closing.abort();
  }

  async #follow(): Promise<void> {
    const { hands, onEvent, onConnection, online, ...options } = this.#options;
    const hurry = () => this.reconnectNow();
    online?.addEventListener('online', hurry);
    const told = (connection: StreamConnection) => {
      this.#connection = connection;
      // Whatever ended while nobody listened stands in the history.
      if (connection.state === 'open') {
        void this.refresh();
        hands?.catchUp(this.chatId).catch(error => this.#fail(error));
      }
      this.#changed();
      onConnection?.(connection);
    };
    try {
      const events = this.#client.live(this.chatId, {
        ...options,
        follow: true,
        signal: this.#signal,
        online: this.#hurry,
        onConnection: told,
      });
      for await (const event of events) {
        if (this.#turns.take(event)) void this.refresh();
        if (this.#turns.last?.plan) this.#plan = this.#turns.last.plan;
        this.#changed();
        hands?.take(this.chatId, event);
        onEvent?.(event);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      online?.removeEventListener('online', hurry);
    }
  }

  /** As often as it was asked for meanwhile: what a page says may be older than the wish for it. */
  async #readNewest(): Promise<void> {
    const patience = new Patience({
      total: Infinity,
      first: this.#options.retryMs ?? 1000,
      longest: 30_000,
      online: this.#hurry,
    });
    await null;
    while (this.#readAgain && !this.#signal.aborted && this.#failure === null) {
      this.#readAgain = false;
      const ended = this.#turns.shown.filter(({ done }) => done !== null);
      try {
        const known = this.#plan;
        // Its end may have been told while nobody listened: then the page behind this has all of it.
        const open = this.#turns.last;
        const over = open?.done === null && (await this.#isOver(open.turn_id));
        const [page, plan] = await Promise.all([
          this.#client.listItems(this.chatId, { limit: this.#pageSize }, { signal: this.#signal }),
          this.#client.getPlan(this.chatId, { signal: this.#signal }),
        ]);
        this.#history = withNewest(this.#history, page);
        // What a turn has told meanwhile is newer.
        if (this.#plan === known) this.#plan = plan.tasks;
        this.#turns.settle(ended);
        if (over && this.#turns.last?.turn_id === open.turn_id) this.#turns.forget();
        this.#changed();
      } catch (error) {
        if (!isPassing(error)) this.#fail(error);
        this.#readAgain = true;
        // The view closes in the midst of it.
        await patience.wait(error, this.#signal).catch(() => {});
      }
    }
    // Here and not later: whoever asks from now on starts a reading of its own.
    this.#reading = null;
  }

  async #isOver(turnId: string | null): Promise<boolean> {
    if (turnId === null) return false;
    const { ended_at } = await this.#client.getTurn(this.chatId, turnId, { signal: this.#signal });
    return ended_at !== null;
  }

  async #readOlder(): Promise<void> {
    await this.#reading;
    const { before } = this.#history;
    if (before === null || before === undefined) return;
    const query = { limit: this.#pageSize, before };
    const page = await this.#client.listItems(this.chatId, query, { signal: this.#signal });
    // A gap may have opened meanwhile: then this page is none of what is shown.
    if (this.#history.before === before) this.#history = withOlder(this.#history, page);
  }

  #fail(error: unknown): void {
    if (!this.#signal.aborted) this.#failure ??= error as Error;
    this.#closing.abort();
    this.#changed();
  }

  #changed(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#snapshot = this.#look();
      for (const listener of [...this.#listeners]) listener();
    }, 0);
  }

  #look(): ChatSnapshot {
    const { shown, last } = this.#turns;
    return {
      items: this.#timeline(this.#history.items, shown),
      has_older: typeof this.#history.before === 'string',
      loading_older: this.#older !== null,
      loaded: this.#history.before !== undefined,
      turn: last,
      busy: last !== null && last.done === null,
      requests: last?.requests ?? EMPTY_SNAPSHOT.requests,
      plan: this.#plan,
      connection: this.#connection,
      failure: this.#failure,
    };
  }
}
