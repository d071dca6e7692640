/** The kernel's events about all chats, as far as they are shown here: titles, sleep, and whether the kernel answers. */
import type { KernelClient, KernelEvent, Schema, StreamConnection } from '@chat-kernel/client';
import { DeletedChats } from '@chat-kernel/client/node';
import type { ShownChat } from '../chats/shown-chat.ts';
import { undoHere } from '../machine/state-directory.ts';
import type { KernelState, Slice } from '../state/app-state.ts';
import { isLost } from '../state/status.ts';
import type { Notices } from './notices.ts';

export class KernelFollower {
  readonly #client: KernelClient;
  readonly #state: Slice<KernelState>;
  readonly #shownChat: ShownChat;
  readonly #notices: Notices;
  readonly #deletedChats: DeletedChats;
  readonly #onOutside: (chatId: string) => Promise<void>;

  /** @param onOutside called for an operation that no turn of a chat asks for, and that no stream of it tells */
  constructor(
    client: KernelClient,
    state: Slice<KernelState>,
    shownChat: ShownChat,
    notices: Notices,
    onOutside: (chatId: string) => Promise<void>,
  ) {
    this.#onOutside = onOutside;
    this.#client = client;
    this.#deletedChats = new DeletedChats(client, undoHere(client.url));
    this.#state = state;
    this.#shownChat = shownChat;
    this.#notices = notices;
  }

  /** Follows the events until the signal is aborted. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    const onConnection = (eventsConnection: StreamConnection) => {
      this.#state.set({ eventsConnection });
      // A chat on the screen has a connection of its own, which counts.
      if (this.#state.get().chat === null) this.seen(eventsConnection);
      if (eventsConnection.state !== 'open') return;
      this.#notices.clearPassing();
      void this.#deletedChats.look();
      // Another kernel than before may answer, with other models.
      this.#readAll(signal).catch(error => signal.aborted || this.#notices.fail(error));
    };
    try {
      for await (const event of this.#client.events({ signal, onConnection })) this.#take(event);
    } catch (error) {
      if (!signal.aborted) this.#notices.fail(error);
    }
  }

  /** Notes whether the kernel answers, by the connection that matters for what is on the screen. */
  seen(connection: StreamConnection): void {
    const before = this.#state.get().lost;
    const lost = isLost(connection, before);
    if (lost !== before) this.#state.set({ lost });
  }

  async readModels(): Promise<Schema<'ModelList'>> {
    const models = await this.#client.listModels();
    this.#state.set({ models });
    return models;
  }

  /** Reads the skills of the chat on the screen, those of its working directory among them. */
  async readSkills(signal?: AbortSignal): Promise<readonly Schema<'Skill'>[]> {
    const { chat } = this.#state.get();
    const query = chat === null ? {} : { chat_id: chat.id };
    // A kernel that knows no skills has none.
    const list = this.#client.listSkills(query, signal && { signal });
    const { skills } = await list.catch(() => ({ skills: [] }));
    this.#state.set({ skills });
    return skills;
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    const { chat } = this.#state.get();
    const [models, { tools }, { waiting: _, ...sleep }, fresh] = await Promise.all([
      this.#client.listModels({ signal }),
      this.#client.listTools({ signal }),
      this.#client.request('GET', '/v1/sleep', { signal }),
      chat && this.#client.getChat(chat.id, { signal }),
    ]);
    const icons = new Map(tools.filter(({ icon }) => EMOJI.test(icon)).map(({ name, icon }) => [name, icon]));
    this.#state.set({ models, icons, sleep });
    if (fresh) this.#shownChat.update(fresh);
    await this.readSkills(signal);
  }

  #take(event: KernelEvent): void {
    switch (event.type) {
      case 'chat_updated':
        this.#shownChat.update(event.chat);
        return;
      case 'sleep_changed': {
        const { type: _, ...sleep } = event;
        this.#state.set({ sleep });
        return;
      }
      case 'chat_deleted':
        void this.#deletedChats.deleted(event.chat_id);
        return;
      case 'turn_ended':
        // A turn may have seen skills on this machine for the first time.
        if (event.chat_id === this.#state.get().chat?.id) void this.readSkills();
        return;
      case 'opened':
      case 'reset':
      case 'chat_created':
      case 'turn_started':
      case 'video_changed':
      case 'books_changed':
      case 'memory_changed':
      case 'schedule_changed':
      case 'schedule_ended':
      case 'request_resolved':
        return;
      case 'request_opened': {
        const { chat_id, turn_id, kind } = event.request;
        if (kind === 'op' && turn_id === NOWHERE_ID) void this.#onOutside(chat_id).catch(this.#notices.fail);
        const question = ownQuestion(event.request);
        if (question !== undefined) this.#notices.notify(`${question} Decide by a POST to /v1/modules.`);
        return;
      }
      default:
        // A newer kernel may send events of other types.
        event satisfies never;
    }
  }
}

/** The chat of requests that the kernel itself makes. */
const NOWHERE_ID = '00000000-0000-0000-0000-000000000000';

/** The words of a question that the kernel itself asks, which stands in no chat. */
function ownQuestion({ chat_id, event }: Schema<'PendingRequest'>): string | undefined {
  if (chat_id !== NOWHERE_ID || event.type !== 'tool_call') return undefined;
  const { questions } = event.input as { questions?: { question?: string }[] };
  return questions?.[0]?.question;
}

/** Other icons are names, which a terminal cannot show. */
const EMOJI = /^\p{Emoji_Presentation}$/u;
