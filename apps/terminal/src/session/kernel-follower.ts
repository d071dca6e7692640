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

/** @param onOutside called for an operation outside of turns, which no chat stream reports */
export function kernelFollower(
  { client, store, notices, shownChat }: SessionServices,
  onOutside: (chatId: string) => Promise<void>,
) {
  const deletedChats = new DeletedChats(client, undoHere(client.url));
  let hasWarned = false;

  /** Records whether the kernel is reachable, according to the connection that the screen depends on. */
  const setConnection = (connection: StreamConnection): void => {
    const before = store.get().lost;
    const lost = isLost(connection, before);
    if (lost !== before) store.set({ lost });
  };

  /** Loads the skills of the chat on the screen, including those of its working directory. */
  const readSkills = async (signal?: AbortSignal): Promise<readonly Skill[]> => {
    const { chat } = store.get();
    const query = chat === null ? {} : { chat_id: chat.id };
    // Older kernels do not support skills.
    const { skills } = await client.listSkills(query, signal && { signal }).catch(() => ({ skills: [] }));
    store.set({ skills });
    return skills;
  };

  const reload = async (signal: AbortSignal): Promise<void> => {
    const { chat } = store.get();
    const [models, { tools, no_sandbox }, { waiting: _, ...sleep }, fresh] = await Promise.all([
      client.listModels({ signal }),
      client.listTools({ signal }),
      client.getSleep({ signal }),
      chat && client.getChat(chat.id, { signal }),
    ]);
    const icons = new Map(tools.filter(({ icon }) => EMOJI.test(icon)).map(({ name, icon }) => [name, icon]));
    store.set({ models, icons, sleep });
    // Said once, unless another notice is shown.
    if (no_sandbox !== undefined && !hasWarned && store.get().notice === null) {
      hasWarned = true;
      notices.notify(
        `No sandbox works on the server: ${no_sandbox}. Without a working directory, commands and changes ask first.`,
      );
    }
    if (fresh) shownChat.update(fresh);
    await readSkills(signal);
  };

  const onEvent = (event: KernelEvent): void => {
    switch (event.type) {
      case 'chat_updated':
        shownChat.update(event.chat);
        return;
      case 'sleep_changed': {
        const { type: _, ...sleep } = event;
        store.set({ sleep });
        return;
      }
      case 'chat_deleted':
        void deletedChats.forget(event.chat_id);
        return;
      case 'turn_ended':
        // The turn may have discovered skills on this machine.
        if (event.chat_id === store.get().chat?.id) void readSkills();
        return;
      case 'request_opened': {
        const { chat_id, turn_id, kind } = event.request;
        if (kind === 'op' && turn_id === KERNEL_CHAT_ID) void onOutside(chat_id).catch(notices.fail);
        const question = kernelQuestion(event.request);
        if (question !== undefined) notices.notify(question);
      }
    }
  };

  return {
    setConnection,
    readSkills,

    async readModels(): Promise<ModelList> {
      const models = await client.listModels();
      store.set({ models });
      return models;
    },

    /** Follows the events until the signal is aborted. Never rejects. */
    async follow(signal: AbortSignal): Promise<void> {
      const onConnection = (eventsConnection: StreamConnection) => {
        store.set({ eventsConnection });
        // The stream of the chat on the screen takes precedence.
        if (store.get().chat === null) setConnection(eventsConnection);
        if (eventsConnection.state !== 'open') return;
        notices.clearTransient();
        void deletedChats.check();
        // After a reconnection, a different kernel with other models may respond.
        reload(signal).catch(error => signal.aborted || notices.fail(error));
      };
      try {
        for await (const event of client.events({ signal, onConnection })) onEvent(event);
      } catch (error) {
        if (!signal.aborted) notices.fail(error);
      }
    },
  };
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
