/** Defines the sleep of the whole kernel, and of single turns (SLP-1 to SLP-4). */
import { z } from 'zod';
import { Id, TimeInput, Timestamp } from '../base/primitives.ts';

export const PutToSleep = z
  .object({
    until: TimeInput.optional().describe('The wake time. Absent: until woken.'),
    reason: z.string().min(1).max(500).optional(),
  })
  .meta({ id: 'PutToSleep' });
export type PutToSleep = z.infer<typeof PutToSleep>;

export const SleepState = z
  .object({
    asleep: z.boolean(),
    since: Timestamp.nullable(),
    until: Timestamp.nullable().describe('Null: until woken, or awake.'),
    reason: z.string().nullable(),
    waiting: z
      .array(z.object({ chat_id: Id, turn_id: Id }))
      .describe(
        'Sleeping turns: those that arrived during the sleep, and those that put themselves to sleep.',
      ),
  })
  .meta({ id: 'SleepState' });
export type SleepState = z.infer<typeof SleepState>;

export const Woken = z.object({ woken: z.array(Id).describe('Turns.') }).meta({ id: 'Woken' });
export type Woken = z.infer<typeof Woken>;
