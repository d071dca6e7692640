/**
 * Tests hands on a slow or broken connection: none begins too late, none runs after its request is over, no result is
 * lost silently.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { progressPoster } from '../src/hands/progress-poster.ts';
import { type ExtraToolHandler, HandsRunner, KernelClient } from '../src/index.ts';

let workdir: string;
const kernel = sharedKernel();
beforeEach(() => {
  workdir = directoryOfTest();
});

function runnerFor(
  client = new KernelClient({ url: kernel.url }),
  tools: Record<string, ExtraToolHandler> = {},
) {
  const hands = nodeHands({ workdir });
  const runner = new HandsRunner(client, { hands, approve: () => 'allow', tools });
  onTestFinished(() => runner.close());
  return runner;
}
let asked = 0;
/** Runs a turn of these hands that waits for a command and is cancelled. */
async function waiting(runner: HandsRunner, command: string) {
  kernel.upstream.next(calls(`late_${asked++}`, 'shell', { commands: [command] }));
  const chat = await kernel.api.newChat({ workdir });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.', ...runner.turnFields, project_docs: false });
  return { chat, stream, event: await stream.until('client_op') };
}

it('[EV-12] does not start an operation that ends while the list of requests is loading', async () => {
  const gate = Promise.withResolvers<void>();
  const listed = Promise.withResolvers<void>();
  const client = new KernelClient({ url: kernel.url });
  const { listRequests } = client;
  client.listRequests = async options => {
    const list = await listRequests(options);
    listed.resolve();
    await gate.promise;
    return list;
  };
  const runner = runnerFor(client);
  const { chat, stream } = await waiting(runner, 'touch ran');
  const catching = runner.catchUp(chat.id);
  await listed.promise;
  await kernel.api.post(`/v1/chats/${chat.id}/cancel`);
  runner.take(chat.id, await stream.until('request_resolved'));
  gate.resolve();
  await catching;
  await runner.idle();
  expect(existsSync(join(workdir, 'ran'))).toBe(false);
});

it('[XT-2] reports a result that cannot be sent as an error, and a missing result as empty', async () => {
  const client = new KernelClient({ url: kernel.url });
  const runner = runnerFor(client, {
    big: async () => ({ cups: 1n }),
    none: async () => undefined as never,
  });
  kernel.upstream.next(calls('big_0', 'big', {}), calls('none_0', 'none', {}), says('ok'));
  const chat = await client.createChat();
  const extra_tools = ['big', 'none'].map(name => ({ name, description: name }));
  for await (const event of client.turn(chat.id, { text: 'Go.', extra_tools })) runner.take(chat.id, event);
  const outputs = (await kernel.api.items(chat.id)).flatMap(item =>
    item.kind === 'tool_call' ? [[item.is_error, item.output]] : [],
  );
  expect(outputs).toEqual([
    [true, expect.stringContaining('The result could not be sent')],
    [false, ''],
  ]);
});

it('[OP-8] posts fewer snapshots on a slow connection, always the newest, and then the result', async () => {
  const posted: string[] = [];
  const line = Promise.withResolvers<void>();
  const progress = progressPoster(async output => {
    posted.push(output);
    await line.promise;
  }, 1);
  for (let n = 0; n < 20; n++) {
    progress.show(String(n));
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  expect(posted).toEqual(['0']);
  line.resolve();
  await expect.poll(() => posted).toEqual(['0', '19']);
  await progress.end();
  progress.show('20');
  expect(posted).toEqual(['0', '19']);
});

it('lists the pending requests of a single chat', async () => {
  const client = new KernelClient({ url: kernel.url });
  const { chat, event } = await waiting(runnerFor(client), 'true');
  const other = await kernel.api.newChat();
  expect(await client.listRequests({ chat_id: other.id })).toEqual({ requests: [] });
  for (const { requests } of [await client.listRequests({ chat_id: chat.id }), await client.listRequests()]) {
    expect(requests).toMatchObject([{ id: event.id, chat_id: chat.id }]);
  }
  await expect(client.listRequests({ chat_id: 'x' })).rejects.toMatchObject({ status: 400 });
  await client.cancelTurn(chat.id);
});
