/** How a turn stands, by both ways to ask for it. */
import type { Chat } from '@chat-kernel/protocol';
import type { TestKernel } from './kernel.ts';

/** The status of the turn that its chat shows, and that of this turn. */
export const statusOf = async ({ api }: Pick<TestKernel, 'api'>, chat: Chat, turn: string) => [
  (await api.get(`/v1/chats/${chat.id}`)).body.turn?.status,
  (await api.get(`/v1/chats/${chat.id}/turns/${turn}`)).body.status,
];
