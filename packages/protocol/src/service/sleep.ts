/** Sleep of the whole kernel, and of single turns (SLP-1 to SLP-4). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

export const PutToSleep = z
  .object({
    until: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When it wakes by itself; absent: not before it is woken.'),
    reason: z.string().min(1).max(500).optional(),
  })
  .meta({ id: 'PutToSleep' });
export type PutToSleep = z.infer<typeof PutToSleep>;

export const SleepState = z
  .object({
    asleep: z.boolean(),
    since: Timestamp.nullable(),
    until: Timestamp.nullable().describe('Null: not before it is woken; or it is awake.'),
    reason: z.string().nullable(),
    waiting: z
      .array(z.object({ chat_id: Id, turn_id: Id }))
      .describe('Turns that sleep: those that arrived meanwhile, and those that went to sleep themselves.'),
  })
  .meta({ id: 'SleepState' });
export type SleepState = z.infer<typeof SleepState>;

export const Woken = z.object({ woken: z.array(Id).describe('Turns.') }).meta({ id: 'Woken' });
export type Woken = z.infer<typeof Woken>;
