/** Defines the plan of a chat: always the whole plan, never a difference. An empty plan is closed. */
import { z } from 'zod';

export const PlanTask = z
  .object({ title: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) })
  .meta({ id: 'PlanTask' });
export type PlanTask = z.infer<typeof PlanTask>;

export const Plan = z.object({ tasks: z.array(PlanTask) }).meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;
