/** The shape of a slash command. */
import type { Chat } from '@chat-kernel/client';
import type { Command } from '../editor/completion.ts';
import type { ChatSession } from '../session/session.ts';

export interface ChatCommand extends Command {
  /** @param argument the text after the name, trimmed @throws Error with a sentence for the user */
  run(session: ChatSession, argument: string): unknown;
}

/** Returns the chat on the screen. @throws Error with a sentence for the user, before the first message */
export function requireChat({ store }: ChatSession): Chat {
  const { chat } = store.get();
  if (chat === null) throw new Error('No chat yet. Send a message first.');
  return chat;
}
