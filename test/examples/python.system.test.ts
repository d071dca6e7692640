/** Tests the example in another language, found by its socket and approved. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { exampleAt, startProgram } from './program.ts';

test('[MOD-1] [MOD-2] [MOD-6] a module in Python connects to the kernel through a socket', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const sockets = join(directory.path, 'modules');
  mkdirSync(sockets, { mode: 0o700 });
  const kernel = await kernelOf({ settings: { modules: { socket_dir: sockets } } });
  const { api, upstream } = kernel;
  const status = async () => (await api.get('/v1/modules')).body.modules[0]?.status;

  startProgram('python3', [exampleAt('python/clock.py'), join(sockets, 'clock.sock')], directory.path);
  await expect.poll(status, { timeout: 30_000 }).toBe('pending');
  await api.post('/v1/modules/clock/approve');
  await expect.poll(status).toBe('up');

  upstream.next(
    calls('c1', 'clock_now', { zone: 'Nowhere/Else' }),
    calls('c2', 'clock_now', { zone: 'Asia/Tokyo' }),
    says('Late.'),
  );
  const chat = await api.newChat();
  const [wrong, right] = eventsOf(await api.say(chat.id, 'What time is it?'), 'tool_result');
  expect(wrong).toMatchObject({ is_error: true, output: expect.stringContaining("got 'Nowhere/Else'") });
  expect(right).toMatchObject({ is_error: false, output: expect.stringMatching(/^\d{4}-.*\+09:00$/) });
});
