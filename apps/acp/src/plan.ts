/** The plan of a chat as that of a session: always the whole of it. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { PlanTask } from '@chat-kernel/client';

export const planOf = (tasks: readonly PlanTask[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: tasks.map(({ title, status }) => ({ content: title, status, priority: 'medium' })),
});
