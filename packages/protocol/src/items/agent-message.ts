/** A stretch of text that the model wrote. */
import { z } from 'zod';
import { itemOf } from './common.ts';

export const AgentMessageItem = itemOf('agent_message', { text: z.string() }).meta({
  id: 'AgentMessageItem',
});
