/** Defines what a call of a tool may do, by which its consent is decided (CONSENT-2). */
import { z } from 'zod';

export const Effect = z
  .enum(['read', 'write', 'execute', 'send', 'remember'])
  .describe(
    'read: reads files or data. write: changes files or data. execute: runs a program. send: something leaves the machines of the owner. remember: something outlives the chat.',
  )
  .meta({ id: 'Effect' });
export type Effect = z.infer<typeof Effect>;
