/** Tests that hands kill a command whose request ended during a lost connection. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls } from '../../../test/harness/story.ts';
import { HandsRunner, KernelClient } from '../src/index.ts';

const kernel = sharedKernel();

it('[OP-10] kills a command whose request ended during a lost connection', async () => {
  const workdir = directoryOfTest();
  const client = new KernelClient({ url: kernel.url });
  const runner = new HandsRunner(client, { hands: nodeHands({ workdir }), approve: () => 'allow' });
  onTestFinished(() => runner.close());
  kernel.upstream.next(calls('late', 'shell', { commands: ['touch begun; sleep 60'] }));
  const chat = await kernel.api.newChat({ workdir });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.', ...runner.turnFields, project_docs: false });
  runner.take(chat.id, await stream.until('client_op'));
  await runner.catchUp(chat.id);
  await expect.poll(() => existsSync(join(workdir, 'begun'))).toBe(true);
  await kernel.api.post(`/v1/chats/${chat.id}/cancel`);
  await runner.catchUp(chat.id);
  const before = Date.now();
  await runner.idle();
  expect(Date.now() - before).toBeLessThan(30_000);
});
