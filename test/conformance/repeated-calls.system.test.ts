/** Tests a stuck model that runs more shells than a machine can handle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { eventsOf, says, textOf } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

test('[SAFE-6] runs at most 16 shells of a turn at once, and then the others', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir: directory.path, workdir_on: 'server' });
  // A retry of the test uses another file.
  const file = join(directory.path, `marks-${chat.id}`);
  const command = `echo + >> ${file}; sleep 0.5; echo - >> ${file}`;
  const steps = Array.from({ length: 40 }, (_, at) => ({
    call: { id: `shell_${at}`, name: 'shell', input: { commands: [command] } },
  }));
  upstream.next({ steps }, says('All ran.'));
  const events = await client.say(chat.id, 'Go.');
  expect(textOf(events)).toBe('All ran.');
  expect(eventsOf(events, 'tool_result').filter(({ is_error }) => is_error)).toEqual([]);
  let running = 0;
  const counts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(mark => (running += mark === '+' ? 1 : -1));
  expect(counts).toHaveLength(80);
  expect(Math.max(...counts)).toBeLessThanOrEqual(16);
  expect(Math.max(...counts)).toBeGreaterThan(1);
});
