/**
 * Defines modules (MOD-2, MOD-8, MOD-9) and guests, which are third-party tool servers (MCP-5), for the owner of the
 * kernel.
 */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';
import { KernelName } from '../service/kernels.ts';

export const Problems = z
  .array(z.string())
  .describe('Tools that were skipped, or that a model does not get: a sentence each.');

export const Guest = z
  .object({
    name: z.string().describe('The name in mcp.servers.'),
    status: z.enum(['up', 'down']),
    problem: z.string().nullable().describe('The reason why it is down, or what it requires.'),
    problems: Problems,
    sign_in: z
      .enum(['none', 'needed', 'waiting', 'done'])
      .describe(
        'none: no sign-in is required, or the settings contain a token. needed: a sign-in is required. waiting: a sign-in was started.',
      ),
    revision: z.string().nullable().describe('The protocol version of the last connection.'),
  })
  .meta({ id: 'Guest' });
export type Guest = z.infer<typeof Guest>;

export const GuestList = z
  .object({ guests: z.array(Guest).describe('Sorted by name.') })
  .meta({ id: 'GuestList' });
export type GuestList = z.infer<typeof GuestList>;

export const SignIn = z
  .object({
    url: z
      .string()
      .describe('The page of the authorization server, to open in a browser of the owner. Can be used once.'),
    expires_at: Timestamp.describe('The time until which the response of that page is accepted.'),
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.infer<typeof SignIn>;

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
