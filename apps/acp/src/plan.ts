/** Converts the plan of a chat to the plan of a session, always as a whole. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { PlanTask } from '@chat-kernel/client';

export const toPlanUpdate = (tasks: readonly PlanTask[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: tasks.map(({ title, status }) => ({ content: title, status, priority: 'medium' })),
});
