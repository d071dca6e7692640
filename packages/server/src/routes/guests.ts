/**
 * Lists guests, signs in to and out of them (MCP-5), and serves the page to which authorization servers redirect the
 * browser.
 */
import type { SignInEnd } from '@chat-kernel/kernel';
import { Guest, GuestList, SignIn } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';
import { CALLBACK_PATH } from '../http/url.ts';
import { page } from '../http/web-page.ts';

const defineRoute = routesOf({ name: 'guests', description: 'Third-party MCP servers.' });
const GuestParams = z.object({ name: z.string().min(1).max(200).describe('The name in mcp.servers.') });

/** Any client may send this: values that are too long, or repeated, are ignored. */
const Word = z.string().max(4096).optional().catch(undefined);
const Answer = z.object({ state: Word, code: Word, error: Word, iss: Word });

/** The page shows no part of the answer, because any client may have sent it. */
const ENDS: Record<SignInEnd, { status: number; title: string; text: string }> = {
  done: { status: 200, title: 'Signed in', text: 'Chat Kernel can now use this MCP server.' },
  declined: { status: 200, title: 'Not signed in', text: 'You declined the sign-in. Nothing was stored.' },
  failed: {
    status: 400,
    title: 'Not signed in',
    text: 'The authorization server rejected the sign-in. See the log of Chat Kernel for the reason.',
  },
  unknown: {
    status: 400,
    title: 'Not signed in',
    text: 'This sign-in is unknown, finished or expired. Start it again.',
  },
};

export const routes = [
  defineRoute('GET /v1/guests', {
    operationId: 'listGuests',
    summary: 'List MCP servers',
    description: 'The servers in `mcp.servers`, with their status and whether they require a sign-in.',
    responses: { 200: GuestList },
    handler: async ({ kernel }) => ({ guests: await kernel.guests.list() }),
  }),
  defineRoute('POST /v1/guests/:name/sign-in', {
    operationId: 'signInToGuest',
    summary: 'Start a sign-in to an MCP server',
    description:
      'Returns the page of the authorization server to open in a browser. That page redirects the browser back to the kernel.',
    request: { params: GuestParams },
    responses: { 200: SignIn },
    errors: ['not_found', 'invalid_value', 'sign_in_failed'],
    handler: ({ kernel, params }) => kernel.guests.signIn(params.name),
  }),
  defineRoute('POST /v1/guests/:name/sign-out', {
    operationId: 'signOutOfGuest',
    summary: 'Sign out of an MCP server',
    description: 'Deletes the stored tokens. They may remain valid on the server.',
    request: { params: GuestParams },
    responses: { 200: Guest },
    errors: ['not_found', 'invalid_value'],
    handler: ({ kernel, params }) => kernel.guests.signOut(params.name),
  }),
  defineRoute(`GET ${CALLBACK_PATH}`, {
    operationId: 'endSignIn',
    summary: 'Sign-in redirect target',
    hidden: true,
    request: { query: Answer },
    responses: { 200: { contentType: 'text/html', description: 'A page.' } },
    async handler({ kernel, query, reply }) {
      const { status, title, text } = ENDS[await kernel.guests.finishSignIn(query)];
      return page(reply.code(status), title, `<h1>${title}</h1><p>${text} You can close this page.</p>`);
    },
  }),
];
