/** Tests the calls of a module that is killed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Asked, call, hostTestbed, listening, statusOf, until } from './test-host.ts';

test('returns one answer to each of 200 concurrent calls when a module is killed', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const tools = [{ name: 'silent', description: '', timeout_secs: 5 }];
  const child = listening({ name: 'parrot', tools }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await until(() => statusOf(host, 'parrot') === 'pending');
  await host.approve('parrot');
  const asked: Asked[] = Array.from({ length: 200 }, () => call(host, 'parrot_silent'));
  child.kill('SIGKILL');
  const answers = await Promise.all(asked);
  expect(answers.every(({ is_error, output }) => is_error && output.includes('disconnected'))).toBe(true);
});
