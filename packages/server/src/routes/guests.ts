/** Guests: listed, signed in to and out of (MCP-5), and the page to which authorization servers send the browser. */
import type { SignInEnd } from '@chat-kernel/kernel';
import { Guest, GuestList, SignIn } from '@chat-kernel/protocol';
import { z } from 'zod';
import { page } from '../http/page.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';
import { CALLBACK_PATH } from '../start/callback-url.ts';

const tag: RouteTag = { name: 'guests', description: 'Third-party tool servers (MCP).' };
const GuestParams = z.object({ name: z.string().min(1).max(200).describe('As in mcp.servers.') });

/** As each comes from anybody: what is too long, or comes twice, is not read. */
const Word = z.string().max(4096).optional().catch(undefined);
const Answer = z.object({ state: Word, code: Word, error: Word, iss: Word });

/** Nothing of the answer is shown: anybody may have written it. */
const ENDS: Record<SignInEnd, { status: number; title: string; text: string }> = {
  done: { status: 200, title: 'Signed in', text: 'The tool server takes the kernel now.' },
  declined: { status: 200, title: 'Not signed in', text: 'You have declined, so nothing was kept.' },
  failed: {
    status: 400,
    title: 'Not signed in',
    text: 'The authorization server did not let the kernel in. The log of the kernel says why.',
  },
  unknown: {
    status: 400,
    title: 'Not signed in',
    text: 'This sign-in was never begun, is over already, or took too long. Begin anew.',
  },
};

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/guests',
    operationId: 'listGuests',
    summary: 'List tool servers',
    description: 'Those of `mcp.servers`, each with how it stands and whether it wants its owner to sign in.',
    tag,
    responses: { 200: GuestList },
    handler: async ({ kernel }) => ({ guests: await kernel.guests.list() }),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/guests/:name/sign-in',
    operationId: 'signInToGuest',
    summary: 'Begin to sign in to a tool server',
    description:
      'Answers the page of its authorization server, to be opened in a browser; that sends the browser back to the kernel.',
    tag,
    request: { params: GuestParams },
    responses: { 200: SignIn },
    errors: ['not_found', 'invalid_value', 'sign_in_failed'],
    handler: ({ kernel, params }) => kernel.guests.signIn(params.name),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/guests/:name/sign-out',
    operationId: 'signOutOfGuest',
    summary: 'Sign out of a tool server',
    description: 'Forgets its tokens here; the server may still know them.',
    tag,
    request: { params: GuestParams },
    responses: { 200: Guest },
    errors: ['not_found', 'invalid_value'],
    handler: ({ kernel, params }) => kernel.guests.signOut(params.name),
  }),
  defineRoute({
    method: 'GET',
    url: CALLBACK_PATH,
    operationId: 'endSignIn',
    summary: 'Where a sign-in ends',
    tag,
    hidden: true,
    request: { query: Answer },
    responses: { 200: { contentType: 'text/html', description: 'A page.' } },
    async handler({ kernel, query, reply }) {
      const { status, title, text } = ENDS[await kernel.guests.finishSignIn(query)];
      return page(reply.code(status), title, `<h1>${title}</h1><p>${text} You can close this page.</p>`);
    },
  }),
];
