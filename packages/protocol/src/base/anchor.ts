/** The message of an external surface that a turn is bound to (TURN-7). */
import { z } from 'zod';

export const Anchor = z.object({ chat_id: z.int(), message_id: z.int() }).meta({ id: 'Anchor' });
export type Anchor = z.infer<typeof Anchor>;
