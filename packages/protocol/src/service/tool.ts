/** Defines the list of all tools in the form that models get (API-4). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { KernelName } from './kernels.ts';

export const Effect = z
  .enum(['read', 'write', 'execute', 'send', 'remember'])
  .describe(
    'read: reads files or data. write: changes files or data. execute: runs a program. send: something leaves the machines of the owner. remember: something outlives the chat.',
  )
  .meta({ id: 'Effect' });
export type Effect = z.infer<typeof Effect>;

export const ToolEntry = z
  .object({
    name: z.string(),
    description: z.string(),
    input_schema: JsonObject.describe('JSON Schema of the input.'),
    group: z.string(),
    icon: z.string().describe('An emoji, or the name of an icon.'),
    trusted_only: z.boolean().describe('Only in turns of the master or a trusted person.'),
    master_only: z.boolean().describe('Only in turns of the master; trusted_only is then also true.'),
    client_only: z.boolean().describe('Only if the client of the turn can run operations.'),
    on_demand: z.boolean().describe('Its group takes one line in the prompt until the model loads it.'),
    effects: z
      .array(Effect)
      .describe('The possible effects of a call. Empty: it changes nothing beyond the chat.'),
    source: z.enum(['builtin', 'module', 'mcp']),
    available: z.boolean().describe('False: its module or server is down, and calls return an error.'),
    kernel: KernelName.optional().describe(
      'The kernel that runs its module or server, if several kernels share the database. Calls go there.',
    ),
  })
  .meta({ id: 'ToolEntry' });
export type ToolEntry = z.infer<typeof ToolEntry>;

export const ToolGroupEntry = z
  .object({
    name: z.string(),
    about: z.string().describe('The text by which a model decides whether to load the group.'),
    on_demand: z.boolean().describe('All of its tools are on demand.'),
  })
  .meta({ id: 'ToolGroupEntry' });
export type ToolGroupEntry = z.infer<typeof ToolGroupEntry>;

export const ToolList = z
  .object({
    tools: z.array(ToolEntry).describe('In the order of the prompt.'),
    groups: z.array(ToolGroupEntry).describe('Sorted by name.'),
    no_sandbox: z
      .string()
      .optional()
      .describe(
        "Why no sandbox works on the kernel's machine, if `tools.shell.sandbox` is not `none`. Commands and changes then ask in chats without a working directory.",
      ),
  })
  .meta({ id: 'ToolList' });
export type ToolList = z.infer<typeof ToolList>;
