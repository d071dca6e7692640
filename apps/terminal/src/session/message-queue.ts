/**
 * The queue of messages behind the running turn. The user can take them back to edit or delete them. The kernel drops a
 * message together with later ones (WAIT-4), so those are sent again.
 */
import type { OpenChats } from '../chats/open-chats.ts';
import type { Outbox } from '../chats/outbox.ts';
import type { WaitingMessage } from '../state/app-state.ts';
import { otherWaiting, waitingHere } from '../state/waiting-messages.ts';
import type { SessionServices } from './services.ts';

interface QueueServices extends SessionServices {
  chats: OpenChats;
  outbox: Outbox;
}

export function queueOf({ client, store, input, chats, outbox }: QueueServices) {
  let isTaking = false;

  /** Returns the queued messages of this client in the chat on the screen, oldest first. */
  const messages = (): readonly WaitingMessage[] => {
    const state = store.get();
    return waitingHere(state).filter(({ turn_id }) => turn_id !== state.snapshot.turn?.turn_id);
  };

  /** @param line the last messages of the queue, oldest first */
  const drop = async (line: readonly WaitingMessage[]): Promise<void> => {
    const [first] = line;
    if (first === undefined) return;
    if (otherWaiting(store.get(), line) > 0) {
      throw new Error('The queue contains messages of another client. To clear it, use /cancel queue.');
    }
    // If the turn had ended, the same call would rewind the chat.
    if (!(await outbox.isWaiting(first))) throw new Error(BEGUN);
    await client.rewind(first.chat_id, first.message_id);
    outbox.forget(line);
    await chats.shown?.view.refresh();
  };

  /** Moves one message back to the input. Later ones stay queued. @throws Error with a sentence for the user */
  const takeBack = async (message: WaitingMessage): Promise<void> => {
    const line = messages();
    const index = line.indexOf(message);
    if (index < 0) throw new Error(BEGUN);
    await drop(line.slice(index));
    input.restore(message.sent);
    for (const { sent } of line.slice(index + 1)) outbox.send(sent);
  };

  return {
    messages,
    takeBack,

    /** Moves the last message back, unless one is being moved. @throws Error with a sentence for the user */
    async takeLastBack(): Promise<void> {
      const last = messages().at(-1);
      if (last === undefined || isTaking) return;
      isTaking = true;
      try {
        await takeBack(last);
      } finally {
        isTaking = false;
      }
    },

    /** Moves all queued messages back to the input. The running turn continues. @returns how many @throws Error */
    async takeAllBack(): Promise<number> {
      const line = messages();
      await drop(line);
      for (const { sent } of line.toReversed()) input.restore(sent);
      return line.length;
    },
  };
}

const BEGUN = 'Its turn has already started.';
