/** Modules, as the owner of the kernel sees them (MOD-2, MOD-8, MOD-9). */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';
import { KernelName } from '../service/kernels.ts';

export const Module = z
  .object({
    name: z.string(),
    version: z.string().nullable().describe('Null: it has never answered.'),
    about: z.string().nullable(),
    status: z
      .enum(['up', 'down', 'pending', 'revoked', 'failed'])
      .describe(
        'pending: found, and waits to be approved; failed: started too often in vain, or speaks another protocol.',
      ),
    source: z.enum(['settings', 'socket_dir']),
    tools: z.array(z.string()).describe('Full names.'),
    stages: z.array(z.string()),
    approved_at: Timestamp.nullable().describe(
      'Null: not approved by a decision; named in the settings it needs none.',
    ),
    problem: z.string().nullable().describe('Why it is not up.'),
    kernel: KernelName.optional().describe(
      'The kernel that runs it, where several share the database; absent: none of them has it now.',
    ),
  })
  .meta({ id: 'Module' });
export type Module = z.infer<typeof Module>;

export const ModuleList = z.object({ modules: z.array(Module) }).meta({ id: 'ModuleList' });
export type ModuleList = z.infer<typeof ModuleList>;
