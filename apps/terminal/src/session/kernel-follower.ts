/** Follows the kernel's events about all chats: titles, sleep, and the connection. */
import type {
  KernelClient,
  KernelEvent,
  ModelList,
  PendingRequest,
  Skill,
  StreamConnection,
} from '@chat-kernel/client';
import { DeletedChats } from '@chat-kernel/hands';
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
  #hasWarned = false;
  readonly #deletedChats: DeletedChats;
  readonly #onOutside: (chatId: string) => Promise<void>;

  /** @param onOutside called for an operation outside of turns, which no chat stream reports */
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
      // The stream of the chat on the screen takes precedence.
      if (this.#state.get().chat === null) this.setConnection(eventsConnection);
      if (eventsConnection.state !== 'open') return;
      this.#notices.clearTransient();
      void this.#deletedChats.check();
      // After a reconnection, a different kernel with other models may respond.
      this.#reload(signal).catch(error => signal.aborted || this.#notices.fail(error));
    };
    try {
      for await (const event of this.#client.events({ signal, onConnection })) this.#onEvent(event);
    } catch (error) {
      if (!signal.aborted) this.#notices.fail(error);
    }
  }

  /** Records whether the kernel is reachable, according to the connection that the screen depends on. */
  setConnection(connection: StreamConnection): void {
    const before = this.#state.get().lost;
    const lost = isLost(connection, before);
    if (lost !== before) this.#state.set({ lost });
  }

  async readModels(): Promise<ModelList> {
    const models = await this.#client.listModels();
    this.#state.set({ models });
    return models;
  }

  /** Loads the skills of the chat on the screen, including those of its working directory. */
  async readSkills(signal?: AbortSignal): Promise<readonly Skill[]> {
    const { chat } = this.#state.get();
    const query = chat === null ? {} : { chat_id: chat.id };
    // Older kernels do not support skills.
    const list = this.#client.listSkills(query, signal && { signal });
    const { skills } = await list.catch(() => ({ skills: [] }));
    this.#state.set({ skills });
    return skills;
  }

  async #reload(signal: AbortSignal): Promise<void> {
    const { chat } = this.#state.get();
    const [models, { tools, no_sandbox }, { waiting: _, ...sleep }, fresh] = await Promise.all([
      this.#client.listModels({ signal }),
      this.#client.listTools({ signal }),
      this.#client.getSleep({ signal }),
      chat && this.#client.getChat(chat.id, { signal }),
    ]);
    const icons = new Map(tools.filter(({ icon }) => EMOJI.test(icon)).map(({ name, icon }) => [name, icon]));
    this.#state.set({ models, icons, sleep });
    if (no_sandbox !== undefined) this.#warnAboutSandbox(no_sandbox);
    if (fresh) this.#shownChat.update(fresh);
    await this.readSkills(signal);
  }

  /** Says once that no sandbox works on the server, unless another notice is shown. */
  #warnAboutSandbox(problem: string): void {
    if (this.#hasWarned || this.#notices.isShown) return;
    this.#hasWarned = true;
    this.#notices.notify(
      `No sandbox works on the server: ${problem}. Without a working directory, commands and changes ask first.`,
    );
  }

  #onEvent(event: KernelEvent): void {
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
        void this.#deletedChats.forget(event.chat_id);
        return;
      case 'turn_ended':
        // The turn may have discovered skills on this machine.
        if (event.chat_id === this.#state.get().chat?.id) void this.readSkills();
        return;
      case 'request_opened': {
        const { chat_id, turn_id, kind } = event.request;
        if (kind === 'op' && turn_id === KERNEL_CHAT_ID)
          void this.#onOutside(chat_id).catch(this.#notices.fail);
        const question = kernelQuestion(event.request);
        if (question !== undefined) this.#notices.notify(question);
      }
    }
  }
}

/** The chat id in requests that the kernel itself makes. */
const KERNEL_CHAT_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the text of a question that the kernel itself asks, outside of chats. */
function kernelQuestion({ chat_id, event }: PendingRequest): string | undefined {
  if (chat_id !== KERNEL_CHAT_ID || event.type !== 'tool_call') return undefined;
  const { questions } = event.input as { questions?: { question?: string }[] };
  const question = questions?.[0]?.question;
  if (question === undefined) return undefined;
  const how = event.name === 'module_approve' ? 'Answer with a POST to /v1/modules.' : 'Answer on the page.';
  return `${question} ${how}`;
}

/** Other icons are names, which terminals cannot show. */
const EMOJI = /^\p{Emoji_Presentation}$/u;
