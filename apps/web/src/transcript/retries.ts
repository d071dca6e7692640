/** Finds what a retry starts again. */
import { type ChatView, factsOfNote, type Item, type ItemOf, type RetryRequest } from '@chat-kernel/client';

/** Whether an item is a message of the owner that began a turn. */
export const canEdit = (item: Item): item is ItemOf<'user_message'> =>
  item.kind === 'user_message' && item.master && !item.waiting && item.turn_id !== null;

/** Whether an item is an answer, or a note about a failure, and the last such item of its turn. */
export function canRetry(item: Item, items: readonly Item[]): boolean {
  const isSame = item.kind === 'agent_message' ? isAnswer : isFailure;
  if (item.turn_id === null || !isSame(item)) return false;
  return items.findLast(each => each.turn_id === item.turn_id && isSame(each))?.id === item.id;
}

const isAnswer = ({ kind }: Item): boolean => kind === 'agent_message';

const isFailure = (item: Item): boolean =>
  item.kind === 'machine_note' &&
  (FAILURES.includes(item.note) || factsOfNote(item.note)?.isAboutReply === true);
const FAILURES: readonly string[] = ['turn_failed', 'kernel_restarted'];

/** The id of the message that began the turn of an item. A long turn may begin on an older page. */
export async function loadPromptId(item: Item, view: ChatView): Promise<string> {
  for (;;) {
    const { items, has_older } = view.getSnapshot();
    const found = findPromptId(item, items);
    if (found !== undefined) return found;
    if (!has_older) throw new Error('The message that began this turn is not in the chat.');
    await view.loadOlder();
  }
}

const findPromptId = (item: Item, items: readonly Item[]): string | undefined =>
  item.kind === 'user_message'
    ? item.message_id
    : items.find(
        (each): each is ItemOf<'user_message'> =>
          each.kind === 'user_message' && each.turn_id === item.turn_id,
      )?.message_id;

/** An edited message: a new text replaces all parts of the message, so its attachments are sent again. */
export function editedFields(item: Item, text: string): RetryRequest {
  const attachments = item.kind === 'user_message' ? item.attachments : [];
  const images = attachments.flatMap(each =>
    each.kind === 'image' ? [{ media_type: each.media_type, data: each.data }] : [],
  );
  const files = attachments.flatMap(each => (each.kind === 'file' ? [{ id: each.id }] : []));
  return { text, ...(images.length > 0 && { images }), ...(files.length > 0 && { files }) };
}
