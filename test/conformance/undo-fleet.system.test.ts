/** Tests a rewind of a chat that moved to another kernel after its files were written. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HandsRunner, KernelClient, standBy } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/hands';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { calls, says } from '../harness/story.ts';

afterAll(stopPostgres);

const write = (id: string) => calls(id, 'write_file', { path: 'a.txt', content: 'after' });

test("[UNDO-2] [UNDO-3] [FLEET-4] restores files from a client's machine, whichever kernel owns the chat", async () => {
  const fleet = await openFleet();
  const [left, right] = [await fleet.start('left'), await fleet.start('right')];
  const workdir = directoryOfTest();
  const state = directoryOfTest();
  const path = join(workdir, 'a.txt');
  writeFileSync(path, 'before');
  const here = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const standing = standBy({
    client: new KernelClient({ url: right.url }),
    name: 'desk',
    client_id: 'id of desk',
    hands: nodeHands({ workdir, undo: { directory: join(state, 'undo') } }),
    signal: leaving.signal,
    onConnection: ({ state }) => state === 'open' && here.resolve(),
  });
  onTestFinished(async () => {
    leaving.abort();
    await standing;
  });
  await here.promise;
  const client = new KernelClient({ url: left.url });
  const { id } = await client.createChat({ workdir, workdir_on: 'client', hands: 'desk', consent: 'auto' });
  const runner = new HandsRunner(client, { hands: {}, approve: () => 'allow', standby: true });
  onTestFinished(() => runner.close());
  fleet.upstream.next(write('w'), says('Done.'));
  const stream = client.turn(id, { text: 'Go.' });
  for await (const event of stream) runner.take(id, event);
  const { message_id } = await stream.started;
  expect(readFileSync(path, 'utf8')).toBe('after');
  await left.kill();
  const { files } = await right.client.rewindFiles(id, message_id, { files: 'restore' });
  expect(files).toEqual([
    { path, action: 'restore', changed_since: false, machine: 'client', hands: 'desk' },
  ]);
  expect(readFileSync(path, 'utf8')).toBe('before');
});
