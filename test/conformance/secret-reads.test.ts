/** Tests that secret places on the machines of clients are read only with the consent of their owner (CONSENT-5). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  const secret_paths = ['~/vault', '/srv/keys', '*.kdbx', '!local.pem'];
  kernel = await startKernel({ settings: { tools: { secret_paths } } });
});
afterAll(() => kernel.stop());

test('[CONSENT-5] a secret place on a connected machine is read only if its owner allows that path', async () => {
  const { client, upstream } = kernel;
  const machine = await StandingBy.open(kernel.api, 'laptop');
  machine.findNone().catch(() => {});
  const { id } = await client.createChat({ consent: 'never' });
  await client.setWorkdir(id, { workdir: '/home/ann/code', workdir_on: 'client', hands: 'laptop' });

  /** Reads a file in a turn; returns the reason of the request for consent, if there is one. */
  const read = async (path: string, decision: string) => {
    upstream.next(calls('c', 'read_file', { files: [{ path }] }), says('Done.'));
    const turn = await client.begin(id, { text: 'Go.', consents: true });
    const operation = machine.stream
      .until(event => event.type === 'client_op' && event.action === 'read' && event.turn_id === turn.turnId)
      .then(event => machine.answer(event as never, { result: 'x' }));
    operation.catch(() => {});
    const first = await Promise.race([turn.until('consent_request'), turn.until('done')]);
    if (first.type === 'consent_request') await client.answerRequest(id, { id: first.id, decision });
    const [result] = eventsOf(await turn.all(), 'tool_result');
    return [first.type === 'consent_request' ? first.reason : null, result?.output.includes('declined')];
  };

  const about = 'A file is to be read on the machine laptop.';
  const secret = 'This is a place for keys and passwords.';
  expect(await read('a.txt', 'allow_session')).toEqual([about, false]);
  expect(await read('b.txt', 'allow_session')).toEqual([null, false]);
  expect(await read('../.ssh/config', 'deny')).toEqual([secret, true]);
  expect(await read('.env', 'allow_session')).toEqual([secret, false]);
  expect(await read('.env', 'deny')).toEqual([null, false]);
  expect(await read('app/.env', 'deny')).toEqual([secret, true]);
  // The settings of the kernel count there, too.
  for (const path of ['../vault/a', '/Users/eve/Vault', '/srv/keys/b', 'deep/All.kdbx'])
    expect(await read(path, 'deny'), path).toEqual([secret, true]);
  for (const path of ['vaults', '/srv/keys2', 'local.pem'])
    expect(await read(path, 'deny'), path).toEqual([null, false]);
  machine.leave();
});
