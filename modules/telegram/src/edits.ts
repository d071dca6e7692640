/** Handles edited messages: replaces a queued message, and sends other edits to the model as new messages. */
import type { TurnStart } from '@chat-kernel/module-sdk';
import { hasStatus, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { Message } from 'grammy/types';
import type { Known } from './identify-sender.ts';
import type { TelegramInbox } from './inbox.ts';
import { fileIn } from './media.ts';
import { messageText, quoting } from './message.ts';
import type { SurfaceServices } from './surface-services.ts';
import type { Conversation, ReceivedMessage } from './tables.ts';

interface Edit {
  update_id: number;
  message: Message;
  place: Conversation;
  who: Known;
}

/** Resolves when the kernel has the new text. */
export async function takeEdit(
  { update_id, message, place, who }: Edit,
  services: SurfaceServices,
  posting: TelegramInbox,
): Promise<void> {
  const before = services.store.lastReceived(place, message.message_id);
  // Ignore edits of messages that were never part of a turn, such as commands.
  if (!before || messageText(message).startsWith('/')) return;
  // Telegram also reports other changes of a message, such as a late link preview.
  if (before.words === messageText(message) && before.file === fileIn(message)) return;
  const replaced = await isDropped(before, services);
  const incoming = { updates: [update_id], messages: [message], place, who } as const;
  await posting.post(
    incoming,
    replaced ? undefined : request => resubmitted(request, message.message_id, before),
  );
}

/**
 * Removes the message from the chat if it is the last one and still queued; if another one were queued after it, that
 * one would be removed, too. If its turn starts and ends before the request arrives, its answer is also removed, and
 * the new text is answered.
 */
async function isDropped(
  { update_id }: ReceivedMessage,
  { store, kernel, teller, signal }: SurfaceServices,
): Promise<boolean> {
  const turn = store.turn(update_id);
  if (!turn?.turn_id) return false;
  const { kernel_chat, turn_id } = turn;
  try {
    const page = { limit: 1 };
    const { items } = await retryUntilAvailable(
      () => kernel.listItems(kernel_chat, page, { signal }),
      signal,
    );
    const last = items.at(-1);
    if (last?.kind !== 'user_message' || !last.waiting || last.turn_id !== turn_id) return false;
    teller.replaced.add(update_id);
    await retryUntilAvailable(() => kernel.rewind(kernel_chat, last.message_id, { signal }), signal);
    return true;
  } catch (error) {
    teller.replaced.delete(update_id);
    // The turn has started, or was canceled.
    if (hasStatus(error, 409) || hasStatus(error, 404)) return false;
    throw error;
  }
}

const resubmitted = (request: TurnStart, messageId: number, { words }: ReceivedMessage): TurnStart => ({
  ...request,
  text: `[An earlier message was edited. The new text:]\n${request.text ?? ''}`.trimEnd(),
  ...quoting(messageId, words),
});
