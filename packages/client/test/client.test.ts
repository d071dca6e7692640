/** Tests the calls of the client with a real kernel. */
import { beforeAll, expect, it } from 'vitest';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { KernelApiError, KernelClient, RetriesExhaustedError } from '../src/index.ts';

let client: KernelClient;
const kernel = sharedKernel();
beforeAll(() => {
  client = new KernelClient({ url: `${kernel.url}/` });
});

it('[CHAT-5] creates, reads, lists, changes and deletes chats', async () => {
  const chat = await client.createChat({ title: 'One', shelf: 'mine' });
  expect(await client.getChat(chat.id)).toEqual(chat);
  expect((await client.patchChat(chat.id, { title: 'Two' })).title).toBe('Two');
  expect((await client.listChats({ shelf: 'mine', limit: 1 })).chats.map(({ title }) => title)).toEqual([
    'Two',
  ]);
  expect(await client.deleteChat(chat.id)).toEqual({ deleted: true, id: chat.id });
  await expect(client.getChat(chat.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

it('[API-8] returns the error of the kernel', async () => {
  const error = await client.patchChat('no-id/../x', { title: '' }).catch(error => error);
  expect(error).toBeInstanceOf(KernelApiError);
  expect(error).toMatchObject({ status: 404, request_id: expect.stringMatching(/./) });
  const { id } = await client.createChat();
  const wrong = await client.patchChat(id, { title: '' }).catch(error => error);
  expect(wrong).toMatchObject({ status: 422, code: 'schema_mismatch' });
  expect(wrong.errors[0].pointer).toBe('/title');
});

it('reports a response that is not from the kernel as an error', async () => {
  const page = new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  const proxied = new KernelClient({ url: kernel.url, fetch: async () => page });
  await expect(proxied.listModels()).rejects.toMatchObject({
    status: 502,
    code: 'unexpected_answer',
    message: '502 Bad Gateway: <h1>Bad Gateway</h1>',
  });
});

it('[AUTH-2] sends the token of the proxy with every request', async () => {
  const tokens: (string | null)[] = [];
  const spying: typeof fetch = (input, init) => {
    tokens.push(new Headers(init?.headers).get('x-service-token'));
    return fetch(input, init);
  };
  const guarded = new KernelClient({ url: kernel.url, token: 't-o-k-e-n', fetch: spying });
  const chat = await guarded.createChat();
  await guarded.turn(chat.id, { text: 'Go.' }).result();
  expect(tokens).toEqual(['t-o-k-e-n', 't-o-k-e-n']);
});

it('[FILE-1] uploads a file with any name', async () => {
  const file = await client.uploadFile({ name: 'Größe ✓.txt', media_type: 'text/plain', bytes: 'four' });
  expect(file).toMatchObject({ name: 'Größe ✓.txt', media_type: 'text/plain', size: 4 });
});

it('[CHAT-8] reads the notebook, the models and the context of a chat', async () => {
  const { id } = await client.createChat();
  await client.setNotebook(id, { text: 'Tea.' });
  expect((await client.getNotebook(id)).text).toBe('Tea.');
  await client.turn(id, { text: 'Go.' }).result();
  expect((await client.listItems(id)).items.map(({ kind }) => kind)).toEqual([
    'user_message',
    'agent_message',
  ]);
  const { messages } = await client.listMessages(id, { limit: 1 });
  expect(messages).toHaveLength(1);
  expect((await client.listModels()).default_model).toBe('scripted/plain');
  expect(await client.cancelTurn(id)).toEqual({ cancelled: false, turn_id: null });
});

it('[MOD-11] waits for an unreachable kernel until a timeout', async () => {
  await client.ready({ waitMs: 1000 });
  let attempts = 0;
  const late: typeof fetch = (input, init) => {
    if (++attempts < 3) throw new TypeError('fetch failed');
    return fetch(input, init);
  };
  await new KernelClient({ url: kernel.url, fetch: late }).ready({ waitMs: 5000 });
  expect(attempts).toBe(3);
  const nobody = new KernelClient({ url: 'http://127.0.0.1:9' });
  await expect(nobody.ready({ waitMs: 200 })).rejects.toThrow(RetriesExhaustedError);
});
