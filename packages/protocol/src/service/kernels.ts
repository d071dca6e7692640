/** The kernels on one database (FLEET-6). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

export const KernelName = z
  .object({
    id: Id.describe('As GET /v1/kernels has it: new with each start.'),
    name: z.string().describe('Of its machine.'),
  })
  .meta({ id: 'KernelName' });
export type KernelName = z.infer<typeof KernelName>;

export const KernelList = z
  .object({
    kernels: z
      .array(
        z.object({
          id: Id.describe(
            'New with each start. The header X-Kernel of an answer names the one that did the work.',
          ),
          url: z
            .string()
            .nullable()
            .describe('Where the others reach it; null: it shares its database with none.'),
          name: z.string().describe('Of its machine.'),
          version: z.string(),
          since: Timestamp.describe('When it started.'),
          turns: z.int().min(0).describe('Its turns that run.'),
          here: z.boolean().describe('It lives.'),
        }),
      )
      .describe('The oldest first.'),
  })
  .meta({ id: 'KernelList' });
export type KernelList = z.infer<typeof KernelList>;
