/** Defines guests, which are third-party tool servers, for the owner of the kernel, who signs in to them (MCP-5). */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';
import { Problems } from './problems.ts';

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
