/** Defines the kernels on one database (FLEET-6). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

export const KernelName = z
  .object({
    id: Id.describe('The id in GET /v1/kernels, new with each start.'),
    name: z.string().describe('The name of its machine.'),
  })
  .meta({ id: 'KernelName' });
export type KernelName = z.infer<typeof KernelName>;

export const KernelList = z
  .object({
    kernels: z
      .array(
        z.object({
          id: Id.describe(
            'New with each start. The header X-Kernel of a response names the kernel that handled the request.',
          ),
          url: z
            .string()
            .nullable()
            .describe(
              'The URL at which the other kernels reach it. Null: it shares its database with no kernel.',
            ),
          name: z.string().describe('The name of its machine.'),
          version: z.string(),
          since: Timestamp.describe('Its start time.'),
          turns: z.int().min(0).describe('The number of its running turns.'),
          here: z.boolean().describe('Whether it is alive.'),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'KernelList' });
export type KernelList = z.infer<typeof KernelList>;
