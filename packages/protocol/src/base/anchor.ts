/** Defines the message of an external surface to which a turn is bound (TURN-7). */
import { z } from 'zod';

export const Anchor = z
  .object({
    chat_id: z.int(),
    message_id: z.int(),
    module: z
      .string()
      .min(1)
      .max(32)
      .optional()
      .describe(
        'The name of the module that sets it; only that module receives it. Absent: all modules that never set a named anchor receive it.',
      ),
  })
  .meta({ id: 'Anchor' });
export type Anchor = z.infer<typeof Anchor>;
