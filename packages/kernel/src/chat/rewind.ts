/** Going back: a message and all after it are deleted (MSG-3). What tools did outside the chat stays done. */
import { cutText, KernelError, type RewindResult } from '@chat-kernel/protocol';
import type { StoredMessage } from '../ports/index.ts';
import type { Workshop } from '../turn/running.ts';
import { isId } from './cursor.ts';

/** A summary of a call is cut to this many characters. */
const SUMMARY_CHARS = 200;

/** @throws KernelError not_found */
export async function rewind(
  chatId: string,
  messageId: string,
  { store, histories, toolbox }: Workshop,
): Promise<RewindResult> {
  const message = isId(messageId) ? await store.message(chatId, messageId) : undefined;
  if (message === undefined)
    throw new KernelError('not_found', `There is no message ${messageId} in this chat.`);
  const gone = await store.rewind(chatId, message.position as number);
  histories.forget(chatId);
  return {
    deleted: gone.length,
    first_deleted: messageId,
    not_undone: gone.flatMap(effectsOf),
  };

  function effectsOf({ content }: StoredMessage): RewindResult['not_undone'] {
    return content.flatMap(block =>
      block.type === 'tool_use' && toolbox.hasOutsideEffect(block.name)
        ? [{ tool: block.name, summary: cutText(JSON.stringify(block.input), SUMMARY_CHARS) }]
        : [],
    );
  }
}
