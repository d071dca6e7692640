/** What binds a turn to a message of an external surface (TURN-7). */
import { z } from 'zod';

export const Anchor = z.object({ chat_id: z.int(), message_id: z.int() }).meta({ id: 'Anchor' });
export type Anchor = z.infer<typeof Anchor>;
