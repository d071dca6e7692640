/** The plan, whole; live only, for the plan is not history (PLAN-1). */
import { z } from 'zod';
import { PlanTask } from '../history/plan.ts';
import { itemOf } from './common.ts';

export const PlanItem = itemOf('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanItem' });
