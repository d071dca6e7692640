/** The project's own client, plus helpers that many tests use. */
import {
  KernelClient,
  type KernelEvent,
  type LiveOptions,
  type StreamOptions,
  type TurnRequest,
} from '@chat-kernel/client';
import type { Event, Item } from '@chat-kernel/protocol';
import { Followed, FollowedTurn, type Told } from './followed.ts';

/** No retries: a kernel must not drop a connection. */
const PATIENCE = { patienceMs: 0 };

export class TestClient extends KernelClient {
  /** Posts a message and resolves once it is stored. */
  async begin(chatId: string, request: TurnRequest, told?: Told): Promise<FollowedTurn> {
    const stream = this.turn(chatId, request, PATIENCE);
    return new FollowedTurn(stream, await stream.started, () => void stream.leave(), told);
  }

  /** Runs a turn from its message to its `done`. */
  async say(chatId: string, text: string, more: Omit<TurnRequest, 'text'> = {}): Promise<Event[]> {
    return (await this.begin(chatId, { text, ...more })).all();
  }

  /** Watches a chat and resolves once the stream is open. */
  watch(chatId: string, options: LiveOptions = {}, told?: Told): Promise<Followed> {
    return opened<Event>(own => this.live(chatId, { ...PATIENCE, ...options, ...own }), told);
  }

  /** Watches all chats and resolves once the stream is open. */
  watchAll(): Promise<Followed<KernelEvent>> {
    return opened<KernelEvent>(own => this.events({ ...PATIENCE, ...own }));
  }

  /** Returns the items of the newest 500 messages. */
  async items(chatId: string): Promise<Item[]> {
    return (await this.listItems(chatId, { limit: 500 })).items;
  }
}

type Streams = ReturnType<KernelClient['live'] | KernelClient['events']>;

async function opened<Kept extends { type: string }>(
  open: (options: StreamOptions) => Streams,
  told?: (event: Kept) => void,
): Promise<Followed<Kept>> {
  const leaving = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onConnection: StreamOptions['onConnection'] = ({ state }) => state === 'open' && resolve();
  const stream = open({ signal: leaving.signal, onConnection });
  const followed = new Followed<Kept>(stream, () => leaving.abort(), told);
  await Promise.race([promise, followed.closed()]);
  return followed;
}
