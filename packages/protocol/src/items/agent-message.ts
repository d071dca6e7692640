/** Defines a section of text by the model. */
import { z } from 'zod';
import { Usage } from '../base/usage.ts';
import { itemSchema } from './common.ts';

export const AgentMessageItem = itemSchema('agent_message', {
  text: z.string(),
  model: z
    .string()
    .optional()
    .describe('The id of the model that wrote the text. Absent if the kernel does not know it.'),
  usage: Usage.optional().describe(
    'The tokens and cost of the provider request that ended with this text. Absent while it runs, if calls or other items follow in the same message, which then has the usage, and if it is not known.',
  ),
}).meta({
  id: 'AgentMessageItem',
});
