/** The list of all tools, as models get them (API-4). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { KernelName } from './kernels.ts';

export const ToolEntry = z
  .object({
    name: z.string(),
    description: z.string(),
    input_schema: JsonObject.describe('JSON Schema of the input.'),
    group: z.string(),
    icon: z.string().describe('An emoji, or the name of an icon.'),
    trusted_only: z.boolean().describe('Only where the master or a trusted person speaks.'),
    master_only: z.boolean().describe('Only where the master speaks; trusted_only then, too.'),
    client_only: z.boolean().describe('Only where the client of the turn has hands.'),
    on_demand: z.boolean().describe('Its group is one line in the prompt until the model loads it.'),
    source: z.enum(['builtin', 'module', 'mcp']),
    available: z.boolean().describe('False: its module or server is down, and a call says so.'),
    kernel: KernelName.optional().describe(
      'The kernel that runs its module or server, where several share the database; calls go there.',
    ),
  })
  .meta({ id: 'ToolEntry' });
export type ToolEntry = z.infer<typeof ToolEntry>;

export const ToolGroupEntry = z
  .object({
    name: z.string(),
    about: z.string().describe('By this a model decides whether to load the group.'),
    on_demand: z.boolean().describe('All that it holds is on demand.'),
  })
  .meta({ id: 'ToolGroupEntry' });
export type ToolGroupEntry = z.infer<typeof ToolGroupEntry>;

export const ToolList = z
  .object({
    tools: z.array(ToolEntry).describe('In the order in which models get them.'),
    groups: z.array(ToolGroupEntry).describe('By name.'),
  })
  .meta({ id: 'ToolList' });
export type ToolList = z.infer<typeof ToolList>;
