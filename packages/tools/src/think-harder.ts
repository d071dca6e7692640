/** Lets the model ask for more thinking (EFF-2, BT-4). */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const thinkHarder = defineTool({
  name: 'think_harder',
  description:
    'Raises your reasoning effort for the rest of this turn. Call it once, early, when a task turns out to be harder than it looked.',
  input: z.object({}),
  group: 'thinking',
  icon: '🧠',
  lead_only: true,
  async run(_input, context) {
    const raised = context.raiseEffort();
    return raised === null
      ? {
          output: 'The reasoning effort was raised in this turn before; it cannot be raised again.',
          is_error: true,
        }
      : { output: `The reasoning effort is now ${raised}.` };
  },
});
