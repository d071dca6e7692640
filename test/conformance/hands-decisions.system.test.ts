/** Tests a decision that covers commands with a prefix, some of which really run. */
import { describe, expect, test } from 'vitest';
import { OFFERED, OFFERED_PREFIX } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls } from '../harness/story.ts';

const kernel = sharedKernel();

describe.each([
  ['of a client', { workdir_on: 'client' }, { client_ops: true, client_id: 'terminal' }],
  ['of the kernel', { workdir_on: 'server', consent: 'ask' }, {}],
] as const)('on the machine %s', (_, place, fields) => {
  test('[HANDS-7] allow_prefix covers plain commands with this prefix, and its label shows it', async () => {
    const { client, upstream } = kernel;
    const workdir = directoryOfTest();
    const chat = (await client.createChat({ ...place, workdir })).id;
    /** Runs a turn with a command, and returns which decisions its request offered; null: no request. */
    const asked = async (command: string, answer: object = { decision: 'deny' }) => {
      let offered: string[] | null = null;
      upstream.next(calls('c', 'shell', { commands: [command] }));
      const stream = await client.begin(chat, { text: 'Go.', ...fields }, event => {
        if (event.type !== 'client_op' && event.type !== 'consent_request') return;
        offered = event.decisions ?? null;
        const result = event.type === 'client_op' ? { result: 'ok' } : {};
        void client.answerRequest(chat, { id: event.id, ...result, ...(event.decisions && answer) });
      });
      await stream.all();
      return offered;
    };
    const yes = { decision: 'allow_prefix', prefix: ' echo  one ' };
    expect(await asked('echo one two', yes)).toEqual(OFFERED_PREFIX);
    const { approvals } = await client.listApprovals();
    const [grant] = approvals.filter(({ chat_id }) => chat_id === chat);
    expect(grant).toMatchObject({ action: 'shell', prefix: 'echo one', decision: 'allow_prefix', workdir });
    expect(grant).not.toHaveProperty('command');
    for (const covered of ['echo one', 'echo   one three', 'echo one "a b"'])
      expect(await asked(covered)).toBeNull();
    expect(await asked('echo onetwo')).toEqual(OFFERED_PREFIX);
    expect(await asked('echo two one')).toEqual(OFFERED_PREFIX);
    for (const other of [
      'echo one; true',
      'echo one > x',
      'echo one $(true)',
      'echo one `true`',
      'echo one\ntrue',
    ]) {
      expect(await asked(other)).toEqual(OFFERED);
    }
  });
});
