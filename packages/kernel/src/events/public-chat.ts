/** Converts a chat to its API form: one shape with its fields in one order everywhere. */
import { Chat } from '@chat-kernel/protocol';
import type { ChatRecord } from '../ports/index.ts';

const FIELDS = Object.keys(Chat.shape) as readonly (keyof Chat)[];

export function publicChat(record: ChatRecord, turn: Chat['turn']): Chat {
  const chat: Chat = { ...record, turn };
  return Object.fromEntries(FIELDS.map(name => [name, chat[name]])) as unknown as Chat;
}
