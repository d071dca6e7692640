/** Defines the answer to programs that watch the process. */
import { z } from 'zod';

export const Health = z.object({ status: z.enum(['ok', 'ready', 'not_ready']) }).meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
