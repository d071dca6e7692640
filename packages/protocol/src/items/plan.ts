/**
 * Defines the whole plan as an item. It is only in the live stream, because the plan is not part of history (PLAN-1).
 */
import { z } from 'zod';
import { PlanTask } from '../history/plan.ts';
import { itemSchema } from './common.ts';

export const PlanItem = itemSchema('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanItem' });
