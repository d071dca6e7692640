/** Tests the text search over the messages of all chats. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

const search = async (q: string, more = '') =>
  (await kernel.api.get(`/v1/search?q=${encodeURIComponent(q)}${more}`)).body.results;

test('[HIST-1] finds text of people and models in any chat, newest first, with the matches marked', async () => {
  const { client, upstream } = kernel;
  const [a, b] = [await client.createChat(), await client.createChat()];
  upstream.next(says('A heron is a bird.'), says('Herons eat fish.'));
  const first = await client.begin(a.id, { text: 'What is a heron?' });
  await first.all();
  const second = await client.begin(b.id, { text: 'What do they eat?' });
  await second.all();
  const found = await search('heron');
  const answers = await Promise.all(
    [b, a].map(async chat => (await client.listMessages(chat.id)).messages.at(-1)?.id),
  );
  expect(found).toEqual([
    { chat_id: b.id, message_id: answers[0], snippet: expect.stringContaining('**Herons**') },
    { chat_id: a.id, message_id: answers[1], snippet: expect.stringContaining('**heron**') },
    { chat_id: a.id, message_id: first.messageId, snippet: expect.stringContaining('**heron**') },
  ]);
  expect(await search('what eat')).toMatchObject([{ message_id: second.messageId }]);
  expect(await search('heron', '&limit=1')).toEqual(found.slice(0, 1));
  expect(await search('pelican')).toEqual([]);
});

test('returns 400 for an empty query and for a wrong limit', async () => {
  const kernel = await startKernel();
  try {
    for (const query of ['', '?q=', '?q=%20%09', '?q=a&limit=0', '?q=a&limit=101', '?q=a&limit=x']) {
      const { status, body } = await kernel.api.get(`/v1/search${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_value']);
    }
  } finally {
    await kernel.stop();
  }
});
