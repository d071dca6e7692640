import { KernelApiError, type KernelClient, type TurnStream } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { isKeyAlive, KeyExpired, postTurn } from '../../src/surface/index.ts';

const HOUR_MS = 3600_000;
const TURN = { chat_id: 'c1', request: { text: 'Hi.' }, key: 'pager-1', since: null };
const { signal } = new AbortController();
const deleted = new KernelApiError(404, { code: 'not_found', detail: 'No such chat.' });

/** A kernel in which these chats are deleted. */
function kernelWithout(...gone: string[]) {
  const posted: unknown[] = [];
  const turn: Partial<KernelClient>['turn'] = (chat_id, request, options) => {
    posted.push([chat_id, request, options?.idempotencyKey]);
    const started = gone.includes(chat_id) ? Promise.reject(deleted) : Promise.resolve({ turn_id: 't1' });
    return { started } as unknown as TurnStream;
  };
  return { kernel: { turn } as KernelClient, posted };
}

test('posts a message under its key', async () => {
  const { kernel, posted } = kernelWithout();
  const stream = await postTurn(TURN, { kernel, signal });
  expect(await stream.started).toEqual({ turn_id: 't1' });
  expect(posted).toEqual([['c1', { text: 'Hi.' }, 'pager-1']]);
});

test('posts the same text once to a new chat if the chat of the message was deleted', async () => {
  const { kernel, posted } = kernelWithout('c1', 'c3');
  await postTurn(TURN, { kernel, signal, newChat: async () => 'c2' });
  expect(posted).toEqual([
    ['c1', { text: 'Hi.' }, 'pager-1'],
    ['c2', { text: 'Hi.' }, 'pager-1'],
  ]);
  await expect(postTurn(TURN, { kernel, signal, newChat: async () => 'c3' })).rejects.toBe(deleted);
  await expect(postTurn(TURN, { kernel, signal })).rejects.toBe(deleted);
});

test('does not repost a message whose key the kernel may have forgotten', async () => {
  const { kernel, posted } = kernelWithout();
  const since = Date.now() - 23 * HOUR_MS;
  expect([isKeyAlive(since), isKeyAlive(since + HOUR_MS)]).toEqual([false, true]);
  await expect(postTurn({ ...TURN, since }, { kernel, signal })).rejects.toBeInstanceOf(KeyExpired);
  expect(posted).toEqual([]);
});
