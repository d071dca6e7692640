/** A sign-in to a tool server at several kernels on one database: it holds at each, and its tokens are renewed by one at a time. */
import { setTimeout } from 'node:timers/promises';
import type { Guest } from '@chat-kernel/protocol';
import { afterAll, expect, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { startHosted } from '../harness/hosted.ts';
import { back, begin, end } from '../harness/signing-in.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterAll(stopPostgres);

const guestOf = async ({ api }: FleetKernel): Promise<Guest> => (await api.get('/v1/guests')).body.guests[0];

test('[MCP-5] [FLEET-1] begun at one kernel and ended at another, a sign-in holds at both, and no refresh token is used twice', async () => {
  // Over as soon as they are given: each request renews.
  const hosted = await startHosted({ expires_in: 1 });
  const fleet = await openFleet();
  const settings = { mcp: { servers: { desk: { url: hosted.url } } } };
  const a = await fleet.start('a', settings);
  const b = await fleet.start('b', settings);
  for (const kernel of [a, b])
    await expect.poll(() => guestOf(kernel), { timeout: 60_000 }).toMatchObject({ sign_in: 'needed' });

  const address = await back(await begin(a));
  expect(address.origin).toBe(a.url);
  const elsewhere = new URL(address.pathname + address.search, b.url);
  expect(await end(elsewhere)).toMatchObject({ status: 200 });
  for (const kernel of [a, b]) {
    await expect
      .poll(() => guestOf(kernel), { timeout: 120_000 })
      .toMatchObject({ status: 'up', sign_in: 'done' });
  }

  const renewed = hosted.given.refresh;
  // Each says its word with its call, so that it does not matter which of them gets which answer.
  const both = [calls('c', 'mcp_desk_echo', { word: 'hi' }), calls('c', 'mcp_desk_echo', { word: 'hi' })];
  fleet.upstream.next(...both, says('Done.'), says('Done.'));
  const talk = async ({ api }: FleetKernel) => {
    const events = await api.say((await api.newChat()).id, 'Go.');
    return eventsOf(events, 'tool_result').map(({ is_error, output }) => ({ is_error, output }));
  };
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  hosted.gate = gate;
  const asked = fleet.upstream.requests.length;
  const talking = Promise.all([a, b].map(talk));
  // One of them renews, and the other one has got as far.
  await expect.poll(() => hosted.given.refresh, { timeout: 30_000 }).toBeGreaterThan(renewed);
  await expect
    .poll(() => fleet.upstream.requests.length - asked, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(2);
  // Time for the other one to go wrong: a slow machine proves less by it, and does not fail.
  await setTimeout(500);
  open();
  const results = await talking;
  expect(results.flat()).toEqual(Array(2).fill({ is_error: false, output: '{"word":"hi"}' }));
  expect(hosted.given.refresh).toBeGreaterThan(renewed);
  expect(hosted.reused).toBe(0);
});
