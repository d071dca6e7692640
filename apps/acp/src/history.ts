/** Converts history items to the updates of a live session. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Item, PlanTask } from '@chat-kernel/client';
import { buildCallResult, callStarted } from './calls.ts';

export function toSessionUpdates(item: Item): SessionUpdate[] {
  switch (item.kind) {
    case 'user_message':
      return [textUpdate('user_message_chunk', item.text)];
    case 'agent_message':
      return [textUpdate('agent_message_chunk', item.text)];
    case 'thinking':
      return [textUpdate('agent_thought_chunk', item.text)];
    case 'tool_call': {
      const { call_id, name, input, output = '', is_error } = item;
      return [callStarted(call_id, name, input), buildCallResult(call_id, { name, input }, output, is_error)];
    }
    case 'plan':
      return [toPlanUpdate(item.tasks)];
    case 'machine_note':
      return [textUpdate('agent_thought_chunk', item.text)];
    case 'image':
      return [textUpdate('agent_message_chunk', `[image ${item.image_id}]`)];
    default:
      // Kinds that an editor cannot show, including those of newer kernels.
      return [];
  }
}

export const textUpdate = (
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate => ({ sessionUpdate, content: { type: 'text', text } });

/** Converts the plan of a chat to the plan of a session, always as a whole. */
export const toPlanUpdate = (tasks: readonly PlanTask[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: tasks.map(({ title, status }) => ({ content: title, status, priority: 'medium' })),
});
