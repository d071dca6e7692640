/**
 * Tests modules and tool servers that one of several kernels runs: all kernels offer the tools, and calls run on that
 * one (FLEET-4).
 */
import { chmodSync, mkdirSync } from 'node:fs';
import type { EventOf } from '@chat-kernel/protocol';
import { afterAll, expect, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import {
  becomes,
  echoed,
  listening,
  moduleOf,
  namesIn,
  places,
  record,
  started,
  tool,
  toolEntry,
} from '../harness/modules.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterAll(stopPostgres);

const PATIENCE = { timeout: 60_000, interval: 20 };
/** The maximum time for anything that first needs a dead kernel to be detected. */
const FOUND_DEAD_MS = 20_000;

/** The settings of a kernel for the module radio, and what the module receives. */
function radio(...tools: object[]) {
  const heard = record(places().at('radio'));
  const declared = { name: 'radio', tools, record: heard.path };
  return { settings: { modules: { servers: { radio: started(declared) } } }, heard };
}

const nameOf = ({ id, name }: FleetKernel) => ({ id, name });

/** Waits until a kernel offers the tool of this kernel; undefined: until it offers none. */
const offers = (at: FleetKernel, name: string, by: FleetKernel | undefined) =>
  expect
    .poll(() => toolEntry(at.api, name), PATIENCE)
    .toEqual(by && expect.objectContaining({ available: true, kernel: nameOf(by) }));

const resultOf = (events: Parameters<typeof eventsOf>[0], id = 'call_1'): EventOf<'tool_result'> => {
  const [result] = eventsOf(events, 'tool_result').filter(each => each.id === id);
  if (!result) throw new Error('the call has no result');
  return result as EventOf<'tool_result'>;
};

test('[FLEET-4] offers tools of another kernel under the same names, and runs, asks about and stops calls there as for its own chats', async () => {
  const fleet = await openFleet();
  const names = ['echo', 'photo', 'progress', 'fail', 'ask', 'silent'];
  const { settings, heard } = radio(...names.map(name => tool(name)));
  const b = await fleet.start('right', settings);
  const a = await fleet.start('left');
  await offers(a, 'radio_echo', b);
  expect(await moduleOf(a.api, 'radio')).toEqual(await moduleOf(b.api, 'radio'));
  expect(await moduleOf(a.api, 'radio')).toMatchObject({ status: 'up', kernel: nameOf(b) });
  // A built-in tool has no source kernel.
  expect(await toolEntry(a.api, 'shell')).not.toHaveProperty('kernel');

  const [chat, other] = [await a.api.newChat(), await b.api.newChat()];
  fleet.upstream.next(
    calls('call_1', 'radio_echo', { n: 7 }),
    calls('call_2', 'radio_photo', {}),
    calls('call_3', 'radio_progress', {}),
    calls('call_4', 'radio_fail', {}),
    says('heard'),
  );
  const turn = await a.api.turn(chat.id, { text: 'Go.' });
  await turn.closed();
  const { events } = turn;
  expect(turn.headers['x-kernel']).toBe(a.id);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  const call = echoed(resultOf(events).output);
  expect(call).toMatchObject({ name: 'echo', input: { n: 7 } });
  expect(call.context).toEqual({
    chat_id: chat.id,
    sender: '',
    master: true,
    trusted: true,
    privileged: true,
    client_ops: false,
  });
  expect(resultOf(events, 'call_2').output).toMatch(/^One red pixel\.\n.*image/);
  const image = JSON.stringify(fleet.upstream.requests.at(-1)?.body.messages);
  expect(image).toContain('data:image/png;base64,');
  expect(eventsOf(events, 'tool_progress').map(({ id }) => id)).toContain('call_3');
  expect(resultOf(events, 'call_3')).toMatchObject({ output: 'done', is_error: false });
  expect(resultOf(events, 'call_4')).toMatchObject({
    output: 'radio_fail failed: the printer is on fire',
    is_error: true,
  });
  expect(heard.heard('tools/call')).toHaveLength(4);

  // The same tools in the same order on any kernel, so that provider caches hit.
  const offered = namesIn(fleet.upstream.requests.at(-1));
  expect(offered).toContain('radio_echo');
  fleet.upstream.next(says('hi'));
  await b.api.say(other.id, 'hi');
  expect(namesIn(fleet.upstream.requests.at(-1))).toEqual(offered);
  // The chat's own switch applies as for local tools.
  await a.api.patch(`/v1/chats/${chat.id}`, { toolset: { disabled: ['radio'] } });
  fleet.upstream.next(says('hi'));
  await a.api.say(chat.id, 'hi');
  expect(namesIn(fleet.upstream.requests.at(-1))).toEqual(offered.filter(name => !name.startsWith('radio_')));
  // Only kernels can make such calls.
  const body = { name: 'radio_echo', input: {}, turn_context: call.context };
  const stranger = await fetch(`${b.url}/v1/kernels/calls/${chat.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([stranger.status, (await stranger.json()).code]).toEqual([404, 'not_found']);
  expect(heard.heard('tools/call')).toHaveLength(4);

  // An external action is asked about in the chat.
  const asking = await a.api.newChat();
  const shown = { to: 'bob@friends.test', text: 'At eight?' };
  for (const [answer, said] of [
    [{ decision: 'allow' }, { allowed: true, reason: '' }],
    [{ decision: 'deny' }, { allowed: false, reason: 'The user declined this operation.' }],
  ] as const) {
    fleet.upstream.next(calls(answer.decision, 'radio_ask', { shown }), says('Done.'));
    const asker = await a.api.turn(asking.id, { text: 'Go.' });
    const { id, ...asked } = await asker.until('consent_request');
    expect(asked).toMatchObject({ action: 'radio_ask', hands: null, decisions: ['allow', 'deny'], ...shown });
    expect(await a.api.post(`/v1/chats/${asking.id}/ops/result`, { id, ...answer })).toMatchObject({
      status: 200,
    });
    await asker.closed();
    expect(JSON.parse(resultOf(asker.events, answer.decision).output)).toMatchObject({ result: said });
  }

  // A canceled turn stops its call.
  fleet.upstream.next(calls('call_1', 'radio_silent', {}));
  const silent = await a.api.turn(asking.id, { text: 'Go.' });
  await expect.poll(() => heard.heard('tools/call').length, PATIENCE).toBe(7);
  expect((await b.api.post(`/v1/chats/${asking.id}/cancel`)).status).toBe(200);
  await silent.closed();
  expect(silent.events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  const { call_id } = heard.heard('tools/call').at(-1)?.params ?? {};
  await expect
    .poll(() => heard.heard('cancelled').map(({ params }) => params), PATIENCE)
    .toEqual([{ call_id }]);
});

test('[FLEET-4] ends a call with an error if its kernel is killed, continues the turn, and does not retry the call', async () => {
  const fleet = await openFleet();
  const { settings, heard } = radio(tool('silent'));
  const b = await fleet.start('right', settings);
  const a = await fleet.start('left');
  await offers(a, 'radio_silent', b);
  // Another kernel has the module, too: a started call is not started there again.
  const spare = radio(tool('silent'));
  const c = await fleet.start('spare', spare.settings);
  await becomes(c.api, 'radio', 'up');
  const chat = await a.api.newChat();
  fleet.upstream.next(calls('call_1', 'radio_silent', {}), says('a pity'));
  const turn = await a.api.turn(chat.id, { text: 'Go.' });
  await expect.poll(() => heard.heard('tools/call').length, PATIENCE).toBe(1);
  await b.kill();
  await turn.closed();
  expect(resultOf(turn.events)).toMatchObject({
    output:
      'radio_silent failed: the machine right, whose kernel has this tool, disconnected before it answered. Whether the call took effect is unknown.',
    is_error: true,
  });
  expect(turn.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  await offers(a, 'radio_silent', c);
  expect(spare.heard.heard('tools/call')).toEqual([]);
  await c.kill();
  await offers(a, 'radio_silent', undefined);
});

test('[FLEET-4] ends a call once its unresponsive kernel is declared dead, and uses that kernel again after its return, which stops its calls for a killed one', async () => {
  const fleet = await openFleet();
  const { settings, heard } = radio(tool('silent'));
  const b = await fleet.start('right', settings);
  const a = await fleet.start('left');
  await offers(a, 'radio_silent', b);
  const chat = await a.api.newChat();
  fleet.upstream.next(calls('call_1', 'radio_silent', {}), says('a pity'));
  const turn = await a.api.turn(chat.id, { text: 'Go.' });
  await expect.poll(() => heard.heard('tools/call').length, PATIENCE).toBe(1);
  process.kill(b.pid, 'SIGSTOP');
  try {
    const silent = performance.now();
    await turn.closed();
    expect(performance.now() - silent).toBeLessThan(FOUND_DEAD_MS);
    expect(resultOf(turn.events).output).toContain(
      'the machine right, whose kernel has this tool, disconnected',
    );
    await offers(a, 'radio_silent', undefined);
  } finally {
    process.kill(b.pid, 'SIGCONT');
  }
  // Its old call is dropped; the kernel rejoins the others with its tools.
  await expect.poll(() => heard.heard('cancelled').length, PATIENCE).toBe(1);
  await offers(a, 'radio_silent', b);

  // The kernel of the chat is killed: the kernel that runs the call stops it, and does not repeat it.
  fleet.upstream.next(calls('call_1', 'radio_silent', {}));
  const lost = await b.api.turn(chat.id, { text: 'Go.' });
  expect(lost.headers['x-kernel']).toBe(a.id);
  await expect.poll(() => heard.heard('tools/call').length, PATIENCE).toBe(2);
  await a.kill();
  await expect.poll(() => heard.heard('cancelled').length, PATIENCE).toBe(2);
  await lost.closed();
  expect(lost.events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  expect(heard.heard('tools/call')).toHaveLength(2);
});

test('[FLEET-4] disables and enables a module at any kernel', async () => {
  const fleet = await openFleet();
  const { path, at } = places();
  const socket_dir = at('sockets');
  mkdirSync(socket_dir, { mode: 0o700 });
  chmodSync(path, 0o700);
  const socket = `${socket_dir}/radio.sock`;
  const program = listening({ name: 'radio', tools: [tool('echo')] }, socket);
  const b = await fleet.start('right', { modules: { socket_dir } });
  const a = await fleet.start('left');
  await becomes(a.api, 'radio', 'pending');
  expect(await toolEntry(a.api, 'radio_echo')).toBeUndefined();
  const approved = await a.api.post('/v1/modules/radio/approve');
  expect(approved).toMatchObject({ status: 200, body: { status: 'up', kernel: nameOf(b) } });
  expect(approved.headers['x-kernel']).toBe(b.id);
  await offers(a, 'radio_echo', b);

  // A kernel that starts knows the module only by its approval, and uses the remote one.
  const late = await fleet.start('late');
  await offers(late, 'radio_echo', b);
  expect(await moduleOf(late.api, 'radio')).toMatchObject({ status: 'up', kernel: nameOf(b) });
  expect((await late.api.post('/v1/modules/radio/revoke')).body).toMatchObject({ status: 'revoked' });
  for (const kernel of [a, b, late]) await offers(kernel, 'radio_echo', undefined);
  expect(await moduleOf(a.api, 'radio')).toMatchObject({ status: 'revoked', kernel: nameOf(b) });
  expect((await a.api.post('/v1/modules/radio/approve')).status).toBe(200);
  for (const kernel of [a, b, late]) await offers(kernel, 'radio_echo', b);
  expect((await a.api.post('/v1/modules/nobody/approve')).status).toBe(404);

  // Another version of the module waits for the user's approval, which only its own kernel requests.
  program.kill('SIGKILL');
  listening({ name: 'radio', tools: [tool('echo'), tool('fail')] }, socket);
  await becomes(late.api, 'radio', 'pending');
  const asked = async () => (await late.api.get('/v1/requests')).body.requests.length;
  await expect.poll(asked, PATIENCE).toBe(1);
  expect((await late.api.post('/v1/modules/radio/approve')).status).toBe(200);
  for (const kernel of [a, b, late]) await offers(kernel, 'radio_fail', b);
  expect(await asked()).toBe(0);
});
