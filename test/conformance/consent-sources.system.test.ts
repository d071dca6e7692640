/** Tests when what a command prints, or the hosts that it reaches, counts as text from outside (CONSENT-4). */
import { realpathSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { bubblewrapWorks } from '../../packages/tools/test/bubblewrap.ts';
import { answerConsents } from '../harness/answer-consents.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

/** Runs a turn with calls in this order, denies all questions, and returns these and the sources of the turn. */
async function turnWith(
  { client, upstream }: TestKernel,
  chat: string,
  made: readonly (readonly [name: string, input: Record<string, unknown>])[],
  fields: object = {},
) {
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true, ...fields });
  const denied = await answerConsents(client, chat, turn);
  const asked = denied.map(({ action }) => action);
  return { asked, outside: (await client.getTurn(chat, turn.turnId)).outside };
}

const REMEMBER = ['memory', { add: 'Drinks tea.' }] as const;

const newChat = async ({ client }: TestKernel): Promise<string> =>
  (await client.createChat({ consent: 'auto', workdir, workdir_on: 'server' })).id;

test('[CONSENT-4] without a sandbox, what a command prints counts as text from outside, and after other such text a command asks', async () => {
  const kernel = await kernelOf({ settings: { tools: { shell: { sandbox: 'none' } } } });
  const chat = await newChat(kernel);
  const run = (command: string) => ['shell', { commands: [command] }] as const;
  expect(await turnWith(kernel, chat, [run('echo hi'), run('touch executed'), REMEMBER])).toEqual({
    asked: ['memory'],
    outside: ['command output'],
  });
  const fields = { outside: ['web:example.org'] };
  expect((await turnWith(kernel, chat, [run('touch executed')], fields)).asked).toEqual(['shell']);
});

test.runIf(bubblewrapWorks())(
  '[CONSENT-4] in the sandbox, what a command prints that reached no host does not count',
  async () => {
    const kernel = await kernelOf({ settings: { tools: { shell: { sandbox: 'bwrap' } } } });
    const run = ['shell', { commands: ['echo hi'] }] as const;
    expect(await turnWith(kernel, await newChat(kernel), [run, REMEMBER])).toEqual({
      asked: [],
      outside: [],
    });
  },
);

test.runIf(bubblewrapWorks())(
  '[CONSENT-4] in a turn with text from outside, a command in the sandbox asks for each host, and a grant covers the host',
  async () => {
    const kernel = await kernelOf({ settings: { tools: { shell: { sandbox: 'bwrap' } } } });
    const { client, upstream } = kernel;
    const chat = await newChat(kernel);
    const get = ['shell', { commands: ['curl -sS http://one.invalid/ http://two.invalid/'] }] as const;
    const fields = { outside: ['web:example.org'] };
    expect((await turnWith(kernel, await newChat(kernel), [get])).asked).toEqual([]);
    expect((await turnWith(kernel, chat, [get], fields)).asked).toEqual(['connect', 'connect']);
    upstream.next(calls('c1', ...get), says('Done.'));
    const turn = await client.begin(chat, { text: 'Go.', consents: true, ...fields });
    const asked = await turn.until('consent_request');
    expect(asked).toMatchObject({
      host: 'one.invalid',
      hands: null,
      decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
      reason: 'A command wants to reach this host, and this turn has read text from web:example.org.',
    });
    await client.answerRequest(chat, { id: asked.id, decision: 'allow_always' });
    await turn.until('request_resolved');
    const denied = await answerConsents(client, chat, turn);
    expect(denied.map(({ host }) => host)).toEqual(['two.invalid']);
    const [result] = eventsOf(await turn.all(), 'tool_result');
    expect(result?.output).toContain('[network: one.invalid was not found.]');
    expect(result?.output).toContain('[network: The user did not allow commands to reach two.invalid.]');
    expect((await client.listApprovals()).approvals).toMatchObject([
      { action: 'connect', target: 'one.invalid' },
    ]);
    expect((await turnWith(kernel, chat, [get], fields)).asked).toEqual(['connect']);
  },
);
