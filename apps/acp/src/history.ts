/** Items of the history as the updates that would have told them. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Item } from '@chat-kernel/client';
import { callStarted, resultOf } from './calls.ts';
import { planOf } from './plan.ts';

export function updatesOf(item: Item): SessionUpdate[] {
  switch (item.kind) {
    case 'user_message':
      return [textUpdate('user_message_chunk', item.text)];
    case 'agent_message':
      return [textUpdate('agent_message_chunk', item.text)];
    case 'thinking':
      return [textUpdate('agent_thought_chunk', item.text)];
    case 'tool_call': {
      const { call_id, name, input, output = '', is_error } = item;
      return [callStarted(call_id, name, input), resultOf(call_id, { name, input }, output, is_error)];
    }
    case 'plan':
      return [planOf(item.tasks)];
    case 'machine_note':
      return [textUpdate('agent_thought_chunk', item.text)];
    case 'image':
      return [textUpdate('agent_message_chunk', `[image ${item.image_id}]`)];
    default:
      // Kinds that an editor has no place for, those of newer kernels among them.
      return [];
  }
}

export const textUpdate = (
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate => ({ sessionUpdate, content: { type: 'text', text } });
