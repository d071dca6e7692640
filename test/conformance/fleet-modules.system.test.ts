/** Tests modules on several kernels of one database: a decision on one kernel applies to all (FLEET-4). */
import { chmodSync, mkdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { becomes, listening, moduleOf, places, tool } from '../harness/modules.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterAll(stopPostgres);

/** Creates a folder for the sockets of a kernel, with a module that listens there. */
function withModule(tools: string[]) {
  const { path, at } = places();
  const socket_dir = at('sockets');
  mkdirSync(socket_dir, { mode: 0o700 });
  chmodSync(path, 0o700);
  listening({ name: 'radio', tools: tools.map(name => tool(name)) }, `${socket_dir}/radio.sock`);
  return { modules: { socket_dir } };
}

test('[FLEET-4] approves and revokes a module for all kernels at any of them', async () => {
  const fleet = await openFleet();
  const a = await fleet.start('a', withModule(['echo']));
  const b = await fleet.start('b', withModule(['echo']));
  // Another version of the module, which is not approved.
  const c = await fleet.start('c', withModule(['echo', 'fail']));
  for (const { api } of [a, b, c]) await becomes(api, 'radio', 'pending');

  expect(await a.api.post('/v1/modules/radio/approve')).toMatchObject({
    status: 200,
    body: { status: 'up' },
  });
  await becomes(b.api, 'radio', 'up');
  expect(await moduleOf(c.api, 'radio')).toMatchObject({ status: 'pending' });
  const chat = await b.api.newChat();
  fleet.upstream.next(calls('call_1', 'radio_echo', {}), says('heard'));
  const events = await b.api.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ name: 'radio_echo', is_error: false }]);

  // A declaration of a kernel that starts does not revoke the decisions of others.
  const late = await fleet.start('late', withModule(['echo']));
  await becomes(late.api, 'radio', 'up');
  expect((await b.api.post('/v1/modules/radio/revoke')).status).toBe(200);
  for (const { api } of [a, b, c, late]) await becomes(api, 'radio', 'revoked');
  // An approval is bound to the declaration of a module, on any kernel.
  expect((await c.api.post('/v1/modules/radio/approve')).status).toBe(200);
  for (const { api } of [a, b, late]) await becomes(api, 'radio', 'pending');
});
