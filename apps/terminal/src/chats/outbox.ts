/** Sends messages to the kernel one at a time, so that they arrive in order. */
import { KernelApiError, type KernelClient, type OwnUploads } from '@chat-kernel/client';
import type { Submission } from '../editor/state.ts';
import { PLAN_CONTEXT } from '../machine/modes.ts';
import type { AppStore, WaitingMessage } from '../state/app-state.ts';
import { buildTurnRequest } from './message.ts';
import type { OpenChat, OpenChats } from './open-chats.ts';

interface OutboxSettings {
  /** Returns the location of a new chat in a directory. */
  placeOf: (workdir: string) => Parameters<KernelClient['createChat']>[0];
  machine: 'auto' | 'none';
  uploads: OwnUploads;
  /** Called with the name of each file before its upload. */
  onFile: (name: string) => void;
  onRefused: (sent: Submission, error: unknown) => void;
}

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(
  client: KernelClient,
  store: AppStore,
  chats: OpenChats,
  settings: OutboxSettings,
) {
  /** Chats created by their first message, by the page on which it was sent. */
  const created = new Map<number, OpenChat>();
  let last: Promise<void> = Promise.resolve();

  const count = (by: number): void => store.set({ sending: store.get().sending + by });

  const create = async (page: number): Promise<OpenChat> => {
    const { newChat, workdir } = store.get();
    const chat = await client.createChat({ ...newChat, ...settings.placeOf(workdir) });
    const opened = chats.show(chat, store.get().page === page);
    created.set(page, opened);
    return opened;
  };

  const post = async (sent: Submission, shown: OpenChat | null, page: number): Promise<void> => {
    const turn = await buildTurnRequest(client, sent, settings.uploads, settings.onFile);
    const { view, hands } = shown ?? created.get(page) ?? (await create(page));
    const { busy } = view.getSnapshot();
    const started = await view.send({
      ...turn,
      questions: true,
      ...hands.turnFields,
      machine: store.get().chat?.hands ? 'auto' : settings.machine,
      ...(store.get().mode === 'plan' && { context: PLAN_CONTEXT }),
    });
    const sent_at = new Date().toISOString();
    const waiting = { ...started, chat_id: view.chatId, sent, sent_at, behind: busy };
    store.set({ waiting: [...store.get().waiting, waiting] });
  };

  /** Whether the turn of a message has not started. @throws ConnectionError */
  const isWaiting = async ({ chat_id, turn_id }: WaitingMessage): Promise<boolean> => {
    try {
      const { status } = await client.getTurn(chat_id, turn_id);
      return status === 'queued' || status === 'sleeping';
    } catch (error) {
      // The turn was deleted with its chat.
      if (error instanceof KernelApiError) return false;
      throw error;
    }
  };

  /** Removes messages that the kernel has dropped. */
  const forget = (dropped: readonly WaitingMessage[]): void =>
    store.set({ waiting: store.get().waiting.filter(each => !dropped.includes(each)) });

  return {
    isWaiting,
    forget,

    /** Sends to the chat on the screen, or to a new one. While disconnected, the message is queued. */
    send(sent: Submission): void {
      count(1);
      // Select the chat now: the user may switch to another one before the message is sent.
      const { shown } = chats;
      const { page } = store.get();
      last = last
        .then(() => post(sent, shown, page))
        .catch(error => settings.onRefused(sent, error))
        .finally(() => count(-1));
    },

    /** Removes messages whose turns left the queue, because they started or were canceled. @throws ConnectionError */
    async recount(): Promise<void> {
      const over: WaitingMessage[] = [];
      for (const each of store.get().waiting) if (!(await isWaiting(each))) over.push(each);
      if (over.length > 0) forget(over);
    },
  };
}
