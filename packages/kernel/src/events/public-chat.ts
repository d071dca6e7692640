/** A chat as the API shows it. */
import type { Chat } from '@chat-kernel/protocol';
import type { ChatRecord } from '../ports/index.ts';

export function publicChat(chat: ChatRecord, turn: Chat['turn']): Chat {
  const {
    plan: _,
    prefix_tokens: __,
    context_tokens: ___,
    notebook: ____,
    notebook_at: _____,
    ...shown
  } = chat;
  return { ...shown, turn };
}
