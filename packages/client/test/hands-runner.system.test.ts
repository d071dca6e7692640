/** Tests hands that run commands for a real kernel. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { ChatView, HandsRunner, KernelClient } from '../src/index.ts';

let client: KernelClient;
const kernel = sharedKernel();
beforeAll(() => {
  client = new KernelClient({ url: kernel.url });
});

const shell = (id: string, command: string) => calls(id, 'shell', { commands: [command] });

function runnerFor(workdir: string): HandsRunner {
  const onError = (error: unknown) => {
    throw error;
  };
  const runner = new HandsRunner(client, { hands: nodeHands({ workdir }), approve: () => 'allow', onError });
  onTestFinished(() => runner.close());
  return runner;
}

it('[OP-1] [OP-3] reads, writes and runs in the directory of its chat, and shows the project', async () => {
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'AGENTS.md'), 'Drink tea.');
  kernel.upstream.next(
    calls('write', 'write_file', { path: 'a/b.txt', content: 'Größe' }),
    shell('read', 'cat a/b.txt'),
    says('ok'),
  );
  const chat = await kernel.api.newChat({ workdir });
  const runner = runnerFor(workdir);
  const view = new ChatView(client, chat.id, { hands: runner, retryMs: 5 });
  onTestFinished(() => view.close());
  await view.until(({ connection }) => connection.state === 'open');
  await view.send({ text: 'Go.', ...runner.turnFields });
  await view.until(({ turn }) => turn?.done != null);
  await runner.idle();
  const call = (await kernel.api.items(chat.id)).findLast(item => item.kind === 'tool_call');
  expect(call).toMatchObject({ output: expect.stringContaining('Größe') });
  expect(readFileSync(join(workdir, 'a/b.txt'), 'utf8')).toBe('Größe');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain('Drink tea.');
});

it('[OP-10] kills a command when its turn ends', async () => {
  const workdir = directoryOfTest();
  kernel.upstream.next(shell('wait', 'echo begun; sleep 60'));
  const chat = await kernel.api.newChat({ workdir });
  const runner = runnerFor(workdir);
  for await (const event of client.turn(chat.id, {
    text: 'Go.',
    ...runner.turnFields,
    project_docs: false,
  })) {
    runner.take(chat.id, event);
    if (event.type === 'tool_progress' && event.output.includes('begun')) void client.cancelTurn(chat.id);
  }
  const before = Date.now();
  await runner.idle();
  expect(Date.now() - before).toBeLessThan(20_000);
});
