/**
 * Tests that tasks of a tool server end with the turn that started them, and that a killed kernel leaves no call open.
 */
import { expect, onTestFinished, test } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { type Step, TaskServer } from '../../packages/mcp-client/test/fixtures/task-server.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { toolEntry } from '../harness/modules.ts';
import { startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const WAIT = { timeout: 30_000 };
const working: Step = { status: 'working', statusMessage: 'Reading' };

/** A kernel with a turn in which a task runs. */
async function runningTask() {
  const server = new TaskServer();
  server.pollInterval = 100;
  const guest = await httpGuest('2025-11-25', 0, server);
  onTestFinished(guest.stop);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const dataDir = directoryOfTest();
  const start = async () => {
    const kernel = await startKernelProcess({
      upstream,
      dataDir,
      settings: { mcp: { servers: { desk: { url: guest.url } } }, server: { shutdown_grace_secs: 0.3 } },
    });
    onTestFinished(async () => void (await kernel.kill()));
    await expect
      .poll(() => toolEntry(kernel.api, 'mcp_desk_required'), WAIT)
      .toMatchObject({ available: true });
    return kernel;
  };
  const kernel = await start();
  const chat = await kernel.client.createChat();
  upstream.next(calls('c', 'mcp_desk_required', { steps: [working] }));
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  const shown = await stream.until('tool_progress');
  expect(shown).toMatchObject({ id: 'c' });
  const cancelled = () => server.came.filter(({ method }) => method === 'tasks/cancel');
  return { server, upstream, start, kernel, chat, stream, cancelled };
}

test('[MCP-1] cancels its tasks when the kernel stops', async () => {
  const { kernel, cancelled } = await runningTask();
  expect(await kernel.stop()).toEqual({ code: 0, signal: null });
  expect(cancelled()).toHaveLength(1);
});

test('[MCP-1] [TURN-11] closes a call after a kill without repeating it, and leaves the task to its server', async () => {
  const { server, upstream, start, kernel, chat, cancelled } = await runningTask();
  await kernel.kill();
  const second = await start();
  await expect
    .poll(() => second.client.items(chat.id), WAIT)
    .toMatchObject([
      { kind: 'user_message' },
      { kind: 'tool_call', call_id: 'c', status: 'aborted', is_error: true },
      { kind: 'machine_note', note: 'kernel_restarted' },
    ]);
  upstream.next(calls('d', 'mcp_desk_required', { steps: [{ status: 'completed' }] }), says('Done.'));
  expect(eventsOf(await second.client.say(chat.id, 'Again.'), 'tool_result')).toMatchObject([
    { id: 'd', is_error: false, output: 'all done' },
  ]);
  const begun = server.came.filter(({ method }) => method === 'tools/call');
  expect(begun).toHaveLength(2);
  expect(cancelled()).toEqual([]);
});
