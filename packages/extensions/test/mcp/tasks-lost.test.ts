/** Tasks that are not offered, not wanted or lost: no call waits for one in vain, or ends without a word. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { isUp, openDesk, until } from './fixtures/desk.ts';
import { GuestServer } from './fixtures/guest-server.ts';
import { httpGuest } from './fixtures/http-server.ts';
import { failed, outputOf, overHttp, overStdio, pass, sent } from './fixtures/task-desk.ts';
import { type Step, TaskServer } from './fixtures/task-server.ts';

const working: Step = { status: 'working' };
const completed: Step = { status: 'completed' };

it('[MCP-1] a server that offers no tasks gets plain calls, and a tool that needs them is left out', async () => {
  const server = new TaskServer();
  server.tasks = undefined;
  const desk = await overHttp(server);
  expect(desk.mcp.tools().map(({ name }) => name)).toEqual(['mcp_g_echo', 'mcp_g_optional']);
  await desk.call('mcp_g_optional');
  expect(sent(server.came, 'tools/call').map(({ params }) => params?.task)).toEqual([undefined]);
  expect(desk.log.find(({ level }) => level === 'warn')?.facts.left_out).toEqual([
    'required: it runs only as a task, which its server does not offer',
  ]);
});

it('[MCP-1] a server that cannot cancel is left with the task', async () => {
  const server = new TaskServer();
  server.tasks = { requests: { tools: { call: {} } } };
  const desk = await overHttp(server);
  const stop = new AbortController();
  const answer = desk.call('mcp_g_required', { steps: [working] }, { signal: stop.signal });
  await until(() => pass(desk));
  stop.abort();
  expect(await answer).toEqual(failed(UNFINISHED_RESULT));
  expect(sent(server.came, 'tasks/cancel')).toEqual([]);
});

it('[MCP-1] a task that begins after its call was cancelled is cancelled; one that never begins is not waited for', async () => {
  const desk = await overHttp();
  const { server } = desk;
  const begin = async () => {
    const stop = new AbortController();
    const answer = desk.call('mcp_g_required', { steps: [working], late: true }, { signal: stop.signal });
    const calls = sent(server.came, 'tools/call').length;
    await until(() => expect(sent(server.came, 'tools/call')).toHaveLength(calls + 1));
    stop.abort();
    return answer;
  };
  const late = begin();
  await until(() => expect(sent(server.came, 'tools/call')).toHaveLength(1));
  await new Promise(setImmediate);
  server.beginLate();
  expect(await late).toEqual(failed(UNFINISHED_RESULT));
  expect(sent(server.came, 'tasks/cancel').map(({ params }) => params)).toEqual([{ taskId: 'task-1' }]);

  const never = begin();
  expect(await outputOf(desk, never)).toEqual(failed(UNFINISHED_RESULT));
  await until(() => expect(sent(server.came, 'notifications/cancelled')).toHaveLength(1));
});

it('[MCP-1] a task outlives a line that breaks', async () => {
  const desk = await overHttp();
  const output = await outputOf(desk, desk.call('mcp_g_required', { steps: [working, 'die', completed] }));
  expect(output).toEqual({ output: 'all done', is_error: false });
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});

it('[MCP-1] of a server that dies in between, or forgets the session, the call says so and is not made again', async () => {
  const stdio = await overStdio();
  expect(await outputOf(stdio, stdio.call('mcp_g_required', { steps: [working, 'die'] }))).toEqual(
    failed('The call failed on its way: the program ended with code 3. Whether it took effect is unknown.'),
  );

  const gone = await overHttp();
  gone.server.die = () => void gone.guest.stop();
  const { output } = await outputOf(gone, gone.call('mcp_g_required', { steps: [working, 'die'] }));
  expect(output).toMatch(
    /^The call failed on its way: fetch failed: .+\. Whether it took effect is unknown\.$/,
  );

  const desk = await overHttp();
  const answer = desk.call('mcp_g_required', { steps: [working] });
  await until(() => pass(desk));
  desk.guest.sessions.clear();
  expect(await outputOf(desk, answer)).toEqual(
    failed('The server has forgotten the session, and the task with it. Whether it took effect is unknown.'),
  );
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});

it('[MCP-1] a server that wishes no pause is asked ten times a second', async () => {
  const server = new TaskServer();
  server.pollInterval = 0;
  const desk = await overHttp(server);
  const answer = desk.call('mcp_g_required', { steps: [completed] });
  const left = await until(() => {
    const shortest = Math.min(...[...desk.clock.timers].map(({ at }) => at - desk.clock.now()));
    expect(shortest).toBeLessThan(60_000);
    return shortest;
  });
  expect(left).toBe(100);
  desk.clock.advance(100);
  expect((await answer).output).toBe('all done');
});

it('[MCP-1] of a task that nobody asked for, in a revision without them, the call says so', async () => {
  const server = new GuestServer('2026-07-28');
  const take = server.take.bind(server);
  server.take = (message, send, tell) => {
    if (message.method !== 'tools/call') return take(message, send, tell);
    const result = { resultType: 'task', taskId: 't', status: 'working', ttlMs: null };
    return send({ jsonrpc: '2.0', id: message.id!, result });
  };
  const guest = await httpGuest('2026-07-28', 0, server);
  onTestFinished(guest.stop);
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  expect(await desk.call('mcp_g_echo')).toEqual(
    failed(
      'The server made a task of the call, which cannot be followed in its revision of the protocol. Whether it took effect is unknown.',
    ),
  );
});
