/** A tool call, with its result inside: results are no items of their own (ITEM-2). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { itemOf } from './common.ts';

export const ToolCallItem = itemOf('tool_call', {
  call_id: z.string(),
  name: z.string(),
  input: JsonObject,
  output: z.string().optional().describe('Absent while the call runs.'),
  is_error: z.boolean(),
  progress: z.string().optional().describe('The last snapshot; live only.'),
  agent: z.string().optional().describe('The sub-agent that calls.'),
}).meta({ id: 'ToolCallItem' });
