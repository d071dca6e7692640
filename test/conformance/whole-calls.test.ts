/** Tests one decision about all operations of a call (HANDS-7). */
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, EventOf } from '@chat-kernel/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { OFFERED, OFFERED_PREFIX } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

const kernel = sharedKernel();

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

type Request = EventOf<'client_op' | 'consent_request'>;
type Call = readonly [string, object];
const TWO: Call = ['shell', { commands: ['echo one', 'echo two'] }];
const OWN = { client_ops: true, client_id: 'terminal', whole_calls: true };
const WHOLE = { consents: true, whole_calls: true };

/** Runs a turn that makes a call; returns its requests, each answered, and what the model read. */
async function turn(chat: string, made: Call, answer: object, fields: object) {
  const { client, upstream } = kernel;
  const requests: Request[] = [];
  upstream.next(calls('c', made[0], { ...made[1] }), says('Done.'));
  const stream = await client.begin(chat, { text: 'Go.', ...fields }, (event: Event) => {
    if (event.type !== 'client_op' && event.type !== 'consent_request') return;
    requests.push(event);
    const result = event.type === 'client_op' ? { result: 'ok' } : {};
    void client.answerRequest(chat, { id: event.id, ...result, ...(event.decisions ? answer : {}) });
  });
  await stream.all();
  const { messages } = upstream.requests.at(-1)!.body as { messages: object[] };
  return { requests, read: JSON.stringify(messages.at(-1)) };
}
const grants = async (chat: string) =>
  (await kernel.client.listApprovals()).approvals.filter(({ chat_id }) => chat_id === chat);

describe('on the machine of the client', () => {
  const newChat = async () => (await kernel.client.createChat({ workdir, workdir_on: 'client' })).id;

  test('[HANDS-7] names all commands of a call in its first operation, whose decision covers them', async () => {
    const { requests } = await turn(await newChat(), TWO, { decision: 'allow' }, OWN);
    expect(requests).toMatchObject([
      // No prefix: its dialog would be about one command.
      { command: 'echo one', call: ['echo one', 'echo two'], decisions: OFFERED },
      { command: 'echo two' },
    ]);
    expect(requests[1]).not.toHaveProperty('decisions');
    expect(requests[1]).not.toHaveProperty('call');
  });

  test('[HANDS-7] refuses all operations of a call that was denied, with the reason of the user', async () => {
    const chat = await newChat();
    const { requests, read } = await turn(chat, TWO, { decision: 'deny', error: 'Later.' }, OWN);
    expect(requests).toHaveLength(1);
    expect(read.match(/The user declined this operation\. They said: Later\./g)).toHaveLength(2);
  });

  test('[HANDS-7] stores a lasting decision for each operation of the call', async () => {
    const chat = await newChat();
    await turn(chat, TWO, { decision: 'allow_always' }, OWN);
    expect((await grants(chat)).map(({ command }) => command)).toEqual(['echo one', 'echo two']);
    const again = await turn(chat, TWO, {}, OWN);
    expect(again.requests.map(({ decisions }) => decisions)).toEqual([undefined, undefined]);
  });

  test('[HANDS-7] gives all paths of a call as its operations name them', async () => {
    const read: Call = ['read_file', { files: [{ path: 'a.txt' }, { path: 'sub/../b.txt' }] }];
    const { requests } = await turn(await newChat(), read, { decision: 'allow' }, OWN);
    expect(requests[0]?.call).toEqual([join(workdir, 'a.txt'), join(workdir, 'b.txt')]);
    expect(requests.map(({ path }) => path)).toEqual(requests[0]?.call);
  });

  test('[HANDS-7] asks per operation without whole_calls, and if the call has only one', async () => {
    const { whole_calls: _, ...other } = OWN;
    const each = await turn(await newChat(), TWO, { decision: 'allow' }, other);
    expect(each.requests.map(({ decisions }) => decisions)).toEqual([OFFERED_PREFIX, OFFERED_PREFIX]);
    expect(each.requests[0]).not.toHaveProperty('call');
    const one = await turn(await newChat(), ['shell', { commands: ['ls'] }], { decision: 'allow' }, OWN);
    expect(one.requests).toMatchObject([{ decisions: OFFERED_PREFIX }]);
    expect(one.requests[0]).not.toHaveProperty('call');
  });
});

describe('on the server', () => {
  const newChat = async () =>
    (await kernel.client.createChat({ workdir, workdir_on: 'server', consent: 'ask' })).id;

  test('[HANDS-7] [CONSENT-5] asks again within a call for another reason', async () => {
    const other = realpathSync(directoryOfTest());
    for (const name of ['a.txt', '.env', 'b.txt']) writeFileSync(join(other, name), name);
    const files = ['a.txt', '.env', 'b.txt'].map(name => ({ path: join(other, name) }));
    const { requests } = await turn(await newChat(), ['read_file', { files }], { decision: 'allow' }, WHOLE);
    expect(requests).toMatchObject([
      { path: files[0]?.path, reason: 'This file is outside of the working directory.', call: { length: 3 } },
      { path: files[1]?.path, reason: 'This is a place for keys and passwords.' },
    ]);
    expect(requests[1]).not.toHaveProperty('call');
  });
});
