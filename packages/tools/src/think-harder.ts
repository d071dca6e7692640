/** Lets the model ask for more thinking (EFF-2, BT-4). */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const thinkHarder = defineTool({
  name: 'think_harder',
  description:
    'Raises your reasoning effort for the rest of this turn. Call it once, early, if a task is harder than expected.',
  input: z.object({}),
  group: 'thinking',
  icon: '🧠',
  lead_only: true,
  async run(_input, context) {
    const raised = context.raiseEffort();
    return raised === null
      ? {
          output: 'The reasoning effort was already raised in this turn and cannot be raised again.',
          is_error: true,
        }
      : { output: `The reasoning effort is now ${raised}.` };
  },
});
