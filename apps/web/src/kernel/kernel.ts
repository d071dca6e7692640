/** The state of the kernel for the whole page: chats, models, sleep and open requests, updated by kernel events. */
import {
  KernelClient,
  type KernelEvent,
  type ModelList,
  type PendingRequest,
  type SleepState,
  type StreamConnection,
  type ToolList,
  type VoiceList,
} from '@chat-kernel/client';
import { ROOT } from '../base/paths.ts';
import { Store } from '../base/store.ts';
import { refused } from './access.ts';
import { Chats } from './chat-list.ts';
import { Notices } from './notices.ts';
import { createSpeaker, type Speaker } from './speaker.ts';
import { StreamGate } from './stream-gate.ts';

export class Kernel {
  readonly client: KernelClient;
  readonly token: string | null;
  readonly lines: StreamGate;
  readonly chats: Chats;
  readonly notices = new Notices();
  readonly models = new Store<ModelList | null>(null);
  /** The voice models. Null until they are loaded. */
  readonly voice = new Store<VoiceList | null>(null);
  readonly speaker: Speaker;
  readonly tools = new Store<ToolList | null>(null);
  readonly sleep = new Store<Omit<SleepState, 'waiting'> | null>(null);
  readonly requests = new Store<readonly PendingRequest[]>([]);
  readonly connection = new Store<StreamConnection>({ state: 'connecting' });
  /** Incremented when books, videos, schedules or the memory changed, so that their pages reload. */
  readonly shelves = new Store(0);
  readonly #closing = new AbortController();

  constructor(token: string | null) {
    this.token = token;
    this.lines = new StreamGate(refused);
    this.client = new KernelClient({ url: ROOT, fetch: this.lines.fetch, ...(token !== null && { token }) });
    this.chats = new Chats(this.client);
    this.speaker = createSpeaker(this.client, this.notices);
    this.lines.onShown(() => this.readAll());
    void this.#follow();
  }

  close(): void {
    this.#closing.abort();
    this.speaker.stop();
    this.lines.close();
  }

  /** Loads all lists that the page shows. Each one can fail without affecting the others. */
  readonly readAll = (): void => {
    if (this.#closing.signal.aborted) return;
    const { client } = this;
    const reads = [
      this.chats.readNewest(),
      client.listModels().then(models => this.models.set(models)),
      client.listVoice().then(voice => this.voice.set(voice)),
      client.listTools().then(tools => this.tools.set(tools)),
      client.getSleep().then(({ waiting: _, ...sleep }) => this.sleep.set(sleep)),
      client.listRequests().then(({ requests }) => this.requests.set(requests)),
    ];
    // The connection status shows that the kernel is unreachable.
    for (const read of reads) read.catch(() => {});
  };

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const onConnection = (connection: StreamConnection) => {
      this.connection.set(connection);
      if (connection.state === 'open') this.readAll();
    };
    try {
      for await (const event of this.client.events({ signal, onConnection, online: window }))
        this.#take(event);
    } catch (error) {
      if (!signal.aborted) this.notices.fail(error);
    }
  }

  #take(event: KernelEvent): void {
    switch (event.type) {
      case 'opened':
        return;
      case 'reset':
        this.readAll();
        this.shelves.update(count => count + 1);
        return;
      case 'chat_created':
      case 'chat_updated':
        this.chats.take(event.chat);
        return;
      case 'chat_deleted':
        this.chats.forget(event.chat_id);
        return;
      case 'turn_started':
        this.chats.markRunning(event.chat_id, { id: event.turn_id, status: 'running', waiting_for: null });
        return;
      // The page of the chat reads its history again when the record has changed.
      case 'history_changed':
      case 'turn_ended':
        this.chats.readAgain(event.chat_id).catch(() => {});
        return;
      case 'sleep_changed': {
        const { type: _, ...sleep } = event;
        this.sleep.set(sleep);
        return;
      }
      case 'video_changed':
      case 'books_changed':
      case 'memory_changed':
      case 'schedule_changed':
      case 'schedule_ended':
        this.shelves.update(count => count + 1);
        return;
      case 'request_opened':
        this.requests.update(open => [...open.filter(other => !isSame(other, event.request)), event.request]);
        return;
      case 'request_resolved':
        this.requests.update(open => open.filter(other => !isSame(other, event)));
        return;
      default:
        // A newer kernel may send events of other types.
        event satisfies never;
    }
  }
}

const isSame = (open: PendingRequest, other: { id: string; question?: number }): boolean =>
  open.id === other.id && open.question === other.question;
