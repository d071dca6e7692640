/** Follows the kernel's events about all chats: titles, sleep, and the connection. */
import {
  type KernelEvent,
  type ModelList,
  type PendingRequest,
  readQuestions,
  type Skill,
  type StreamConnection,
} from '@chat-kernel/client';
import { DeletedChats } from '@chat-kernel/hands';
import { undoHere } from '../machine/state-directory.ts';
import { isLost } from '../state/status.ts';
import type { SessionServices } from './services.ts';

export class KernelFollower {
  readonly #services: SessionServices;
  #hasWarned = false;
  readonly #deletedChats: DeletedChats;
  readonly #onOutside: (chatId: string) => Promise<void>;

  /** @param onOutside called for an operation outside of turns, which no chat stream reports */
  constructor(services: SessionServices, onOutside: (chatId: string) => Promise<void>) {
    this.#services = services;
    this.#onOutside = onOutside;
    this.#deletedChats = new DeletedChats(services.client, undoHere(services.client.url));
  }

  /** Follows the events until the signal is aborted. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    const onConnection = (eventsConnection: StreamConnection) => {
      this.#services.store.set({ eventsConnection });
      // The stream of the chat on the screen takes precedence.
      if (this.#services.store.get().chat === null) this.setConnection(eventsConnection);
      if (eventsConnection.state !== 'open') return;
      this.#services.notices.clearTransient();
      void this.#deletedChats.check();
      // After a reconnection, a different kernel with other models may respond.
      this.#reload(signal).catch(error => signal.aborted || this.#services.notices.fail(error));
    };
    try {
      for await (const event of this.#services.client.events({ signal, onConnection })) this.#onEvent(event);
    } catch (error) {
      if (!signal.aborted) this.#services.notices.fail(error);
    }
  }

  /** Records whether the kernel is reachable, according to the connection that the screen depends on. */
  setConnection(connection: StreamConnection): void {
    const before = this.#services.store.get().lost;
    const lost = isLost(connection, before);
    if (lost !== before) this.#services.store.set({ lost });
  }

  async readModels(): Promise<ModelList> {
    const models = await this.#services.client.listModels();
    this.#services.store.set({ models });
    return models;
  }

  /** Loads the skills of the chat on the screen, including those of its working directory. */
  async readSkills(signal?: AbortSignal): Promise<readonly Skill[]> {
    const { chat } = this.#services.store.get();
    const query = chat === null ? {} : { chat_id: chat.id };
    // Older kernels do not support skills.
    const list = this.#services.client.listSkills(query, signal && { signal });
    const { skills } = await list.catch(() => ({ skills: [] }));
    this.#services.store.set({ skills });
    return skills;
  }

  async #reload(signal: AbortSignal): Promise<void> {
    const { chat } = this.#services.store.get();
    const [models, { tools, no_sandbox }, { waiting: _, ...sleep }, fresh] = await Promise.all([
      this.#services.client.listModels({ signal }),
      this.#services.client.listTools({ signal }),
      this.#services.client.getSleep({ signal }),
      chat && this.#services.client.getChat(chat.id, { signal }),
    ]);
    const icons = new Map(tools.filter(({ icon }) => EMOJI.test(icon)).map(({ name, icon }) => [name, icon]));
    this.#services.store.set({ models, icons, sleep });
    if (no_sandbox !== undefined) this.#warnAboutSandbox(no_sandbox);
    if (fresh) this.#services.shownChat.update(fresh);
    await this.readSkills(signal);
  }

  /** Says once that no sandbox works on the server, unless another notice is shown. */
  #warnAboutSandbox(problem: string): void {
    if (this.#hasWarned || this.#services.notices.isShown) return;
    this.#hasWarned = true;
    this.#services.notices.notify(
      `No sandbox works on the server: ${problem}. Without a working directory, commands and changes ask first.`,
    );
  }

  #onEvent(event: KernelEvent): void {
    switch (event.type) {
      case 'chat_updated':
        this.#services.shownChat.update(event.chat);
        return;
      case 'sleep_changed': {
        const { type: _, ...sleep } = event;
        this.#services.store.set({ sleep });
        return;
      }
      case 'chat_deleted':
        void this.#deletedChats.forget(event.chat_id);
        return;
      case 'turn_ended':
        // The turn may have discovered skills on this machine.
        if (event.chat_id === this.#services.store.get().chat?.id) void this.readSkills();
        return;
      case 'request_opened': {
        const { chat_id, turn_id, kind } = event.request;
        if (kind === 'op' && turn_id === KERNEL_CHAT_ID)
          void this.#onOutside(chat_id).catch(this.#services.notices.fail);
        const question = kernelQuestion(event.request);
        if (question !== undefined) this.#services.notices.notify(question);
      }
    }
  }
}

/** The chat id in requests that the kernel itself makes. */
const KERNEL_CHAT_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the text of a question that the kernel itself asks, outside of chats. */
function kernelQuestion({ chat_id, event }: PendingRequest): string | undefined {
  if (chat_id !== KERNEL_CHAT_ID || event.type !== 'tool_call') return undefined;
  const question = readQuestions(event.input)[0]?.question;
  if (question === undefined) return undefined;
  const how = event.name === 'module_approve' ? 'Answer with a POST to /v1/modules.' : 'Answer on the page.';
  return `${question} ${how}`;
}

/** Other icons are names, which terminals cannot show. */
const EMOJI = /^\p{Emoji_Presentation}$/u;
