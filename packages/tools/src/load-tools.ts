/** Lets the model load a group of tools that stands as a single line in its prompt (BT-11). */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const loadTools = defineTool({
  name: 'load_tools',
  description:
    'Loads a group of tools that stands under [tools] in your instructions. You can call its tools from your next step on, and this chat keeps them. Load one as soon as the task needs it, without asking.',
  input: z.object({ group: z.string().min(1).describe('Its name, as it stands there.') }),
  group: 'tools',
  icon: '🧰',
  lead_only: true,
  loads_groups: true,
  async run({ group }, context) {
    const names = await context.loadTools(group);
    return { output: `Loaded: ${names.join(', ')}. You can call them from your next step on.` };
  },
});
