/** Defines a fork: a new chat that begins with the first messages of another. */
import { z } from 'zod';
import { ChatTitle, Id } from '../base/primitives.ts';

export const ForkChat = z
  .object({
    before_message: Id.describe('The first message that is not copied.'),
    title: ChatTitle.optional().describe('Absent: the title of the parent.'),
  })
  .meta({ id: 'ForkChat' });
export type ForkChat = z.infer<typeof ForkChat>;
