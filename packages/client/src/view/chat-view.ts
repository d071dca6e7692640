/**
 * The state of a chat for display: its newest history, older pages on demand, and live events, joined into one list. It
 * follows the chat across disconnects and kernel restarts until it is closed.
 *
 * `subscribe` and `getSnapshot` fit React's useSyncExternalStore.
 */
import type { Chat, EventType, Item, RetryRequest, TurnEvent, TurnRequest } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import type { RetryOptions } from '../client/options.ts';
import type { HandsRunner } from '../hands/runner.ts';
import { timeline } from '../items/timeline.ts';
import type { TurnView } from '../items/turn-view.ts';
import type { StreamConnection, StreamOptions } from '../streams/reconnecting.ts';
import type { StartedTurn, TurnStream } from '../streams/turn-stream.ts';
import { type HistoryReader, historyReader } from './history-reader.ts';
import { LiveTurns } from './live-turns.ts';
import { type ChatSnapshot, EMPTY_SNAPSHOT, SnapshotStore } from './snapshot.ts';

/** Events whose text the items contain as well. */
const TOLD_BY_ITEMS = ['text_delta', 'thinking_delta'] as const;

export class ChatView {
  readonly chatId: string;
  readonly #client: KernelClient;
  readonly #options: ChatViewOptions;
  readonly #closing = new AbortController();
  /** A target whose `online` event ends every wait. */
  readonly #hurry = new EventTarget();
  readonly #signal: AbortSignal;
  readonly #turns = new LiveTurns();
  readonly #timeline = rememberedTimeline();
  readonly #reader: HistoryReader;
  readonly #snapshots: SnapshotStore;
  #connection: StreamConnection = { state: 'connecting' };
  #failure: Error | null = null;

  /** Connects immediately, and stays connected until it is closed. */
  constructor(client: KernelClient, chatId: string, { pageSize = 50, ...options }: ChatViewOptions = {}) {
    this.chatId = chatId;
    this.#client = client;
    this.#options = options;
    this.#snapshots = new SnapshotStore(() => this.#look(), options.schedule);
    const signals = [options.signal, this.#closing.signal].filter(signal => signal !== undefined);
    this.#signal = AbortSignal.any(signals);
    this.#reader = historyReader({
      client,
      chatId,
      turns: this.#turns,
      pageSize,
      retryMs: options.retryMs,
      signal: this.#signal,
      hurry: this.#hurry,
      changed: () => this.#snapshots.changed(),
      failed: error => this.#fail(error),
    });
    void this.#follow();
  }

  /** Calls the listener at changes, once per tick. Returns the function to unsubscribe. */
  readonly subscribe = (listener: () => void): (() => void) => this.#snapshots.subscribe(listener);

  readonly getSnapshot = (): ChatSnapshot => this.#snapshots.snapshot;

  /** Resolves with the first matching snapshot, now or later. Rejects if the view ends before. */
  until(fits: (snapshot: ChatSnapshot) => boolean): Promise<ChatSnapshot> {
    return this.#snapshots.until(fits);
  }

  /**
   * Sends a message; resolves once it is stored. The turn appears in the view. The request is repeated under one
   * idempotency key until it is known to have arrived, even if the view is closed in the meantime.
   * @throws KernelApiError, RetriesExhaustedError
   */
  send(request: TurnRequest, options: { idempotencyKey?: string } = {}): Promise<StartedTurn> {
    return this.#begin(this.#client.turn(this.chatId, request, { ...options, ...this.#streamOptions }));
  }

  /**
   * Starts a turn in place of the one that a user message began, as `KernelClient.retry` does; resolves like `send`.
   * @throws KernelApiError, RetriesExhaustedError
   */
  retry(
    messageId: string,
    request: RetryRequest = {},
    options: Pick<RetryOptions, 'files' | 'idempotencyKey'> = {},
  ): Promise<StartedTurn> {
    const sent = { ...options, ...this.#streamOptions };
    return this.#begin(this.#client.retry(this.chatId, messageId, request, sent));
  }

  get #streamOptions() {
    const { retryMs, silenceMs, signal } = this.#options;
    return { retryMs, silenceMs, signal };
  }

  async #begin(stream: TurnStream): Promise<StartedTurn> {
    const started = await stream.started;
    await stream.leave();
    this.#turns.announce(started.turn_id);
    this.#snapshots.changed();
    void this.refresh();
    return started;
  }

  /**
   * Reads the page before the oldest item; one at a time. Does nothing at the beginning of the chat. Resolves when the
   * snapshot has the page.
   * @throws KernelApiError, ConnectionError; never after the view has ended
   */
  async loadOlder(): Promise<void> {
    await this.#reader.readOlder();
    await this.#snapshots.changed();
  }

  /** Reads the newest page again, for example after a rewind. Resolves when it is loaded, or the view has ended. */
  refresh(): Promise<void> {
    return this.#reader.refresh();
  }

  /**
   * Takes the turn of the chat from its record, which a program may have before the stream: the view is busy from then
   * on. Call it at each change of the record.
   */
  report(turn: Chat['turn']): void {
    this.#turns.report(turn?.id ?? null);
    this.#snapshots.changed();
  }

  /** Ends a wait for the next connection. */
  reconnectNow(): void {
    this.#hurry.dispatchEvent(new Event('online'));
  }

  /** Disconnects. The turn continues. */
  close(): void {
    this.#closing.abort();
  }

  async #follow(): Promise<void> {
    const { hands, onEvent, onConnection, online, mute = [], schedule: _, ...options } = this.#options;
    const hurry = () => this.reconnectNow();
    online?.addEventListener('online', hurry);
    const connected = (connection: StreamConnection) => {
      this.#connection = connection;
      // A turn that ended while the connection was interrupted is in the history.
      if (connection.state === 'open') {
        void this.refresh();
        hands?.catchUp(this.chatId).catch(error => this.#fail(error));
      }
      this.#snapshots.changed();
      onConnection?.(connection);
    };
    try {
      const events = this.#client.live(this.chatId, {
        ...options,
        mute: [...TOLD_BY_ITEMS, ...mute],
        follow: true,
        signal: this.#signal,
        online: this.#hurry,
        onConnection: connected,
      });
      for await (const event of events) {
        if (this.#turns.take(event)) void this.refresh();
        this.#snapshots.changed();
        hands?.take(this.chatId, event);
        onEvent?.(event);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      online?.removeEventListener('online', hurry);
    }
  }

  #fail(error: unknown): void {
    if (!this.#signal.aborted) this.#failure ??= error as Error;
    this.#closing.abort();
    this.#snapshots.changed();
  }

  #look(): ChatSnapshot {
    const { shown, last, plan } = this.#turns;
    const { history } = this.#reader;
    return {
      items: this.#timeline(history.items, shown),
      has_older: typeof history.before === 'string',
      loading_older: this.#reader.isReadingOlder(),
      loaded: history.before !== undefined,
      turn: last,
      busy: this.#turns.isBusy,
      requests: last?.requests ?? EMPTY_SNAPSHOT.requests,
      plan,
      connection: this.#connection,
      failure: this.#failure,
    };
  }
}

/** Returns `timeline` with a cache of its last list. */
function rememberedTimeline(): typeof timeline {
  let last: { history: readonly Item[]; turns: readonly TurnView[]; items: readonly Item[] } | undefined;
  return (history, turns) => {
    if (last?.history !== history || last.turns !== turns) {
      last = { history, turns, items: timeline(history, turns) };
    }
    return last.items;
  };
}

/** Options of a chat view. */
export interface ChatViewOptions extends StreamOptions {
  /** Messages per page, 1 to 500; default 50. */
  pageSize?: number | undefined;
  /** Executes the operations of the chat for this client; not closed with the view. */
  hands?: Pick<HandsRunner, 'take' | 'catchUp'> | undefined;
  /** Event types that are not sent, besides `text_delta` and `thinking_delta`, whose text the items contain. */
  mute?: readonly EventType[] | undefined;
  /**
   * Schedules a snapshot after a change: calls back once, soon. `requestAnimationFrame` in pages; default: at the end
   * of the tick.
   */
  schedule?: ((take: () => void) => void) | undefined;
  /** Called once with each event when it arrives. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}
