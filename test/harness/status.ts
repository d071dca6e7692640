/** How a turn stands, by both ways to ask for it. */
import type { Chat } from '@chat-kernel/protocol';
import type { TestKernel } from './kernel.ts';

/** The status of the turn that its chat shows, and that of this turn. */
export const statusOf = async (
  { client }: Pick<TestKernel, 'client'>,
  chat: Pick<Chat, 'id'>,
  turn: string,
) => [(await client.getChat(chat.id)).turn?.status, (await client.getTurn(chat.id, turn)).status];
