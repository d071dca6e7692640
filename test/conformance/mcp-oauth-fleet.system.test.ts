/**
 * Tests a sign-in to a tool server with several kernels on one database: it applies to each, and one kernel at a time
 * renews its tokens.
 */
import { setTimeout } from 'node:timers/promises';
import type { Guest } from '@chat-kernel/protocol';
import { afterAll, expect, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { startHosted } from '../harness/hosted.ts';
import { back, begin, end } from '../harness/signing-in.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterAll(stopPostgres);

const guestOf = async ({ api }: FleetKernel): Promise<Guest> => (await api.get('/v1/guests')).body.guests[0];

test('[MCP-5] [FLEET-1] applies a sign-in at both kernels that starts at one and ends at the other, and uses no refresh token twice', async () => {
  // The tokens expire immediately, so that each request renews them.
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
  // Both turns get equal responses, so that it does not matter which of them gets which.
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
  // One of them renews, and the other one has reached the same point.
  await expect.poll(() => hosted.given.refresh, { timeout: 30_000 }).toBeGreaterThan(renewed);
  await expect
    .poll(() => fleet.upstream.requests.length - asked, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(2);
  // Gives the other kernel time to misbehave: a slow machine proves less with it, but does not fail.
  await setTimeout(500);
  open();
  const results = await talking;
  expect(results.flat()).toEqual(Array(2).fill({ is_error: false, output: '{"word":"hi"}' }));
  expect(hosted.given.refresh).toBeGreaterThan(renewed);
  expect(hosted.reused).toBe(0);
});
