/** The shape of a slash command. */
import type { Chat } from '@chat-kernel/client';
import type { Command } from '../editor/completion.ts';
import type { ChatSession } from '../session/session.ts';

export interface ChatCommand extends Command {
  /** @param argument the text after the name, trimmed @throws Error with a sentence for the owner */
  run(session: ChatSession, argument: string): unknown;
}

/** Returns the chat on the screen. @throws Error with a sentence for the owner, before the first message */
export function chatOf({ store }: ChatSession): Chat {
  const { chat } = store.get();
  if (chat === null) throw new Error('There is no chat yet: the first message makes it.');
  return chat;
}
