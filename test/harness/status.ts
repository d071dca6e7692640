/** Reads the status of a turn in both possible ways. */
import type { Chat } from '@chat-kernel/protocol';
import type { TestKernel } from './kernel.ts';

/** Returns the status that the chat shows for the turn, and that of the turn itself. */
export const statusOf = async (
  { client }: Pick<TestKernel, 'client'>,
  chat: Pick<Chat, 'id'>,
  turn: string,
) => [(await client.getChat(chat.id)).turn?.status, (await client.getTurn(chat.id, turn)).status];
