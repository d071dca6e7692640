/** Guests, which are third-party tool servers, as the owner of the kernel sees them and signs in to them (MCP-5). */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';

export const Guest = z
  .object({
    name: z.string().describe('As in mcp.servers.'),
    status: z.enum(['up', 'down']),
    problem: z.string().nullable().describe('Why it is down, or what it wants.'),
    sign_in: z
      .enum(['none', 'needed', 'waiting', 'done'])
      .describe(
        'none: it wants none, or has its token by the settings; needed: it wants one, or another one; waiting: one was begun.',
      ),
    revision: z.string().nullable().describe('Of the protocol, in the last connection.'),
  })
  .meta({ id: 'Guest' });
export type Guest = z.infer<typeof Guest>;

export const GuestList = z.object({ guests: z.array(Guest).describe('By name.') }).meta({ id: 'GuestList' });
export type GuestList = z.infer<typeof GuestList>;

export const SignIn = z
  .object({
    url: z.string().describe('The page of the authorization server, for a browser of the owner. Good once.'),
    expires_at: Timestamp.describe('The answer of that page is taken until then.'),
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.infer<typeof SignIn>;
