/** Forking: a new chat out of the first part of another. */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';
import { ChatTitle } from './chat.ts';

export const ForkChat = z
  .object({
    before_message: Id.describe('The first message that the branch does not have.'),
    title: ChatTitle.optional().describe('Absent: that of the parent.'),
  })
  .meta({ id: 'ForkChat' });
export type ForkChat = z.infer<typeof ForkChat>;
