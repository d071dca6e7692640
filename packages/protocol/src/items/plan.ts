/** The whole plan. It exists in the live stream alone: the plan is no part of history (PLAN-1). */
import { z } from 'zod';
import { PlanTask } from '../history/plan.ts';
import { itemOf } from './common.ts';

export const PlanItem = itemOf('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanItem' });
