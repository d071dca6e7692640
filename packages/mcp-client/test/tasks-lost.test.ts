/** Tests tasks that are unsupported, unwanted or lost: no call waits for one in vain, or ends without a result. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { isUp, openDesk, until } from './fixtures/desk.ts';
import { GuestServer } from './fixtures/guest-server.ts';
import { httpGuest } from './fixtures/http-server.ts';
import { failed, outputOf, overHttp, pass, sent } from './fixtures/task-desk.ts';
import { type Step, TaskServer } from './fixtures/task-server.ts';

const working: Step = { status: 'working' };
const completed: Step = { status: 'completed' };

it('[MCP-1] gets plain calls if it offers no tasks, without the tools that require them', async () => {
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

it('[MCP-1] keeps its task running if it does not support cancellation', async () => {
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

it('[MCP-1] cancels a task that starts after its call was canceled, and does not wait for one that never starts', async () => {
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

it('[MCP-1] continues a task over a dropped connection', async () => {
  const desk = await overHttp();
  const output = await outputOf(desk, desk.call('mcp_g_required', { steps: [working, 'die', completed] }));
  expect(output).toEqual({ output: 'all done', is_error: false });
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});

it('[MCP-1] polls a server that requests no delay ten times per second', async () => {
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

it('[MCP-1] fails a call that is answered with an unrequested task', async () => {
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
      'The server turned the call into a task, which its protocol version does not allow to follow. Whether it took effect is unknown.',
    ),
  );
});
