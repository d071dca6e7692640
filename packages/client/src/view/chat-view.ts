/**
 * A chat as a client shows it: its newest history, older pages when they are wanted, and what happens in it, joined
 * into one list. It follows the chat over broken lines and restarts of the kernel until it is closed.
 *
 * `subscribe` and `getSnapshot` are what React's useSyncExternalStore takes.
 */
import type { TurnRequest } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';
import type { StartedTurn } from '../streams/turn-stream.ts';
import type { ChatViewOptions } from './chat-view-options.ts';
import { HistoryReader } from './history-reader.ts';
import { LiveTurns } from './live-turns.ts';
import { rememberedTimeline } from './remembered-timeline.ts';
import { type ChatSnapshot, EMPTY_SNAPSHOT } from './snapshot.ts';
import { SnapshotStore } from './snapshot-store.ts';

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

  /** Opens at once, and stays open until it is closed. */
  constructor(client: KernelClient, chatId: string, { pageSize = 50, ...options }: ChatViewOptions = {}) {
    this.chatId = chatId;
    this.#client = client;
    this.#options = options;
    this.#snapshots = new SnapshotStore(EMPTY_SNAPSHOT, () => this.#look(), options.schedule);
    const signals = [options.signal, this.#closing.signal].filter(signal => signal !== undefined);
    this.#signal = AbortSignal.any(signals);
    this.#reader = new HistoryReader(client, chatId, this.#turns, {
      pageSize,
      retryMs: options.retryMs,
      signal: this.#signal,
      hurry: this.#hurry,
      changed: () => this.#snapshots.changed(),
      failed: error => this.#fail(error),
    });
    void this.#follow();
  }

  /** Calls the listener at each change, once for all that changes in a tick. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => this.#snapshots.subscribe(listener);

  readonly getSnapshot = (): ChatSnapshot => this.#snapshots.snapshot;

  /** Resolves with the first snapshot that fits, now or later. Rejects when the view ends before. */
  until(fits: (snapshot: ChatSnapshot) => boolean): Promise<ChatSnapshot> {
    return this.#snapshots.until(fits);
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
    this.#snapshots.changed();
    void this.refresh();
    return started;
  }

  /**
   * Reads the page before the oldest item; one at a time. Does nothing at the beginning of the chat.
   * @throws KernelApiError, BrokenLine; nothing once the view has ended
   */
  loadOlder(): Promise<void> {
    return this.#reader.readOlder();
  }

  /** Reads the newest page again, such as after a rewind; resolves when it is there, or the view has ended. */
  refresh(): Promise<void> {
    return this.#reader.refresh();
  }

  /** Ends a wait for the next connection. */
  reconnectNow(): void {
    this.#hurry.dispatchEvent(new Event('online'));
  }

  /** Hangs up. The turn goes on. */
  close(): void {
    this.#closing.abort();
  }

  async #follow(): Promise<void> {
    const { hands, onEvent, onConnection, online, schedule: _, ...options } = this.#options;
    const hurry = () => this.reconnectNow();
    online?.addEventListener('online', hurry);
    const connected = (connection: StreamConnection) => {
      this.#connection = connection;
      // A turn that ended while the line was broken stands in the history.
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
    const { history, isReadingOlder } = this.#reader;
    return {
      items: this.#timeline(history.items, shown),
      has_older: typeof history.before === 'string',
      loading_older: isReadingOlder,
      loaded: history.before !== undefined,
      turn: last,
      busy: last !== null && last.done === null,
      requests: last?.requests ?? EMPTY_SNAPSHOT.requests,
      plan,
      connection: this.#connection,
      failure: this.#failure,
    };
  }
}
