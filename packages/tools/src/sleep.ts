/** Lets the model wait: the turn sleeps until its time has come, or until a user wakes it (BT-9). */
import { TimeInput } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

const MAX_SECONDS = 366 * 24 * 3600;

export const sleep = defineTool({
  name: 'sleep',
  description:
    'Puts this turn to sleep until a time, or until the user wakes it. Use it to wait for a time of day or for something that takes long. Sleeping costs nothing and survives restarts. Give until or seconds; without both, it sleeps until woken.',
  input: z.object({
    until: TimeInput.optional().describe('A time such as 2030-01-31T08:00:00Z.'),
    seconds: z.number().positive().max(MAX_SECONDS).optional(),
    reason: z.string().min(1).max(500).optional().describe('The reason, shown to the user.'),
  }),
  group: 'sleep',
  icon: '💤',
  trusted_only: true,
  lead_only: true,
  async run({ until, seconds, reason = null }, context) {
    if (until !== undefined && seconds !== undefined) {
      return { output: 'Give until or seconds, not both.', is_error: true };
    }
    const now = context.now();
    const time = until === undefined ? now + (seconds ?? 0) * 1000 : Date.parse(until);
    if (until !== undefined && time <= now) {
      return {
        output: `This time is in the past. It is now ${new Date(now).toISOString()}.`,
        is_error: true,
      };
    }
    const forever = until === undefined && seconds === undefined;
    return { output: await context.sleep(forever ? null : new Date(time).toISOString(), reason) };
  },
});
