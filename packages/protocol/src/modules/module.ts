/** Defines modules for the owner of the kernel (MOD-2, MOD-8, MOD-9). */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';
import { KernelName } from '../service/kernels.ts';
import { Problems } from './problems.ts';

export const Module = z
  .object({
    name: z.string(),
    version: z.string().nullable().describe('Null: it never responded.'),
    about: z.string().nullable(),
    status: z
      .enum(['up', 'down', 'pending', 'revoked', 'failed'])
      .describe(
        'pending: discovered, and not approved yet. failed: crashed too often, or uses another protocol version.',
      ),
    source: z.enum(['settings', 'socket_dir']),
    tools: z.array(z.string()).describe('Full names.'),
    stages: z.array(z.string()),
    approved_at: Timestamp.nullable().describe(
      'Null: not approved by a decision. Modules in the settings need none.',
    ),
    problem: z.string().nullable().describe('The reason why it is not running.'),
    problems: Problems,
    kernel: KernelName.optional().describe(
      'The kernel that runs it, if several kernels share the database. Absent: no kernel runs it.',
    ),
  })
  .meta({ id: 'Module' });
export type Module = z.infer<typeof Module>;

export const ModuleList = z.object({ modules: z.array(Module) }).meta({ id: 'ModuleList' });
export type ModuleList = z.infer<typeof ModuleList>;
