/** Lets the model write a plan of its work (BT-7). */
import { PlanTask } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const plan = defineTool({
  name: 'plan',
  description:
    'Shows the user your plan for a task with several steps. Always send the whole plan; it replaces the previous one. Keep one task in_progress. An empty list closes the plan.',
  // A copy has no id, so the schema contains it instead of a reference, which not every provider accepts.
  input: z.object({ tasks: z.array(PlanTask.extend({})).max(100) }),
  group: 'plan',
  icon: '📋',
  trusted_only: true,
  lead_only: true,
  async run({ tasks }, context) {
    await context.setPlan(tasks);
    const left = tasks.filter(task => task.status !== 'completed').length;
    return {
      output:
        tasks.length === 0
          ? 'The plan is closed.'
          : `The plan is shown: ${left} of ${tasks.length} tasks left.`,
    };
  },
});
