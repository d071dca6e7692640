/** Lets the model load a group of tools that is a single line in its prompt (BT-11). */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const loadTools = defineTool({
  name: 'load_tools',
  description:
    'Loads a group of tools from the list [tools] in your instructions. You can call its tools from the next step on, and they stay loaded in this chat. Load a group as soon as the task needs it, without asking.',
  input: z.object({ group: z.string().min(1).describe('The name from the list.') }),
  group: 'tools',
  icon: '🧰',
  lead_only: true,
  loads_groups: true,
  async run({ group }, context) {
    const names = await context.loadTools(group);
    return { output: `Loaded: ${names.join(', ')}. You can call them from the next step on.` };
  },
});
