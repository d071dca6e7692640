/** Tests a module that is a process of its own, and is found by its socket. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, hostTestbed, listening, statusOf, toolOf, until } from './test-host.ts';

const ECHO = { name: 'echo', description: 'Says it again.', input_schema: { type: 'object' } };

test('[MOD-8] [MOD-9] keeps the tools of a killed module, reports it immediately, and reconnects automatically', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const socket = join(socket_dir, 'parrot.sock');
  const declared = { name: 'parrot', tools: [ECHO, { name: 'silent', description: 'Says nothing.' }] };
  const first = listening(declared, socket);
  const host = await open();
  await until(() => statusOf(host, 'parrot') === 'pending');
  await host.approve('parrot');
  const open_call = call(host, 'parrot_silent');
  first.kill('SIGKILL');
  expect(await open_call).toEqual({
    // The system reports a reset if the peer left bytes unread.
    output: expect.stringMatching(
      /^parrot_silent failed: the module disconnected before it answered: the connection (ended|broke: .+)\.$/,
    ),
    is_error: true,
  });
  await until(() => statusOf(host, 'parrot') === 'down');
  expect(toolOf(host, 'parrot_echo').available).toBe(false);
  const { output, is_error } = await call(host, 'parrot_echo');
  expect(output).toMatch(/^The module parrot is not running: .+\.$/);
  expect(is_error).toBe(true);

  listening(declared, socket);
  await until(() => statusOf(host, 'parrot') === 'up');
  expect(toolOf(host, 'parrot_echo').available).toBe(true);
  expect(await call(host, 'parrot_echo')).toMatchObject({ is_error: false });
});
