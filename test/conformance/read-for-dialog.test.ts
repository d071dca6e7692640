/** Tests that clients can show what an edit on a connected machine would change, without a second question. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf } from '../harness/story.ts';

let machine: StandingBy;
const kernel = sharedKernel();
beforeEach(async () => {
  machine = await StandingBy.open(kernel.api, 'laptop');
  machine.findNone().catch(() => {});
  return () => machine.leave();
});

/** A turn that asks to write a file on the laptop. */
async function asked(path = 'a.txt') {
  const { id: chat } = await kernel.client.createChat({ workdir: '/garden', hands: 'laptop' });
  kernel.upstream.next(calls('c', 'write_file', { path, content: 'new' }));
  const turn = await kernel.client.begin(chat, { text: 'Write it.' });
  const request = await turn.until('consent_request');
  onTestFinished(async () => {
    await kernel.client.cancelTurn(chat, {});
    await turn.all();
  });
  const read = (more: object = {}) =>
    kernel.api.post(`/v1/chats/${chat}/ops/read_bytes`, {
      path: request.path,
      offset: 0,
      size: 100,
      request: request.id,
      ...more,
    });
  return { chat, turn, request, read };
}
const open = async (chat: string) =>
  (await kernel.client.listRequests()).requests.filter(({ chat_id }) => chat_id === chat).map(({ id }) => id);

describe('[WEB-16] ops/read_bytes for an open request to write a file', () => {
  test('reads that file on the machine without a question, and executes nothing else', async () => {
    const { chat, turn, request, read } = await asked();
    const reading = read();
    const operation = await machine.operation('read_bytes');
    expect(operation).toMatchObject({ path: '/garden/a.txt', offset: 0, size: 100, chat_id: chat });
    expect(operation).not.toHaveProperty('decisions');
    expect(await open(chat)).toEqual([request.id]);
    await machine.answer(operation, { result: { total: 3, data: 'b2xk' } });
    expect(await reading).toMatchObject({ status: 200, body: { total: 3, data: 'b2xk' } });
    expect(machine.told).not.toContain('write');
    expect(eventsOf(turn.events, 'consent_request')).toHaveLength(1);
  });

  test('returns the error of the machine, as without a request', async () => {
    const { read } = await asked();
    const reading = read();
    await machine.answer(await machine.operation('read_bytes'), { error: 'ENOENT: no such file' });
    expect(await reading).toMatchObject({ status: 400, body: { code: 'invalid_value' } });
  });

  test('refuses other files, other requests, and the file of a request that is over', async () => {
    const { chat, request, read } = await asked();
    const refused = { status: 404, body: { code: 'unknown_request' } };
    expect(await read({ path: '/garden/b.txt' })).toMatchObject(refused);
    expect(await read({ request: 'none' })).toMatchObject(refused);
    await kernel.api.post(`/v1/chats/${chat}/ops/result`, { id: request.id, decision: 'deny' });
    expect(await read()).toMatchObject(refused);
    expect(await open(chat)).toEqual([]);
    expect(machine.told).not.toContain('read_bytes');
  });

  test('[CONSENT-5] refuses a secret place instead of asking', async () => {
    const { chat, request, read } = await asked('.env');
    expect(await read()).toMatchObject({ status: 403, body: { code: 'forbidden_path' } });
    expect(await open(chat)).toEqual([request.id]);
    expect(machine.told).not.toContain('read_bytes');
  });

  test('returns no_client while the machine is not connected', async () => {
    const { read } = await asked();
    machine.leave();
    await expect
      .poll(async () => (await kernel.client.listHands()).hands)
      .toMatchObject([{ name: 'laptop', here: false }]);
    expect(await read()).toMatchObject({ status: 409, body: { code: 'no_client' } });
  });
});
