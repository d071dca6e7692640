/** Defines a tool call with its result inside, because results are not separate items (ITEM-2). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { itemSchema } from './common.ts';

export const ToolCallItem = itemSchema('tool_call', {
  call_id: z.string(),
  name: z.string(),
  input: JsonObject,
  output: z.string().optional().describe('Absent while the call is running.'),
  is_error: z.boolean(),
  progress: z.string().optional().describe('The latest snapshot; live only.'),
  agent: z.string().optional().describe('The sub-agent that made the call.'),
}).meta({ id: 'ToolCallItem' });
