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

test('[HIST-1] [MSG-3] no longer finds rewound or deleted text, but finds a fork', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(says('Yes.'));
  await client.say(chat.id, 'A zanzibar.');
  const second = await client.begin(chat.id, { text: 'Again zanzibar.' });
  await second.all();
  const before_message = second.messageId;
  const branch = await client.forkChat(chat.id, { before_message });
  expect((await search('zanzibar')).map((hit: { chat_id: string }) => hit.chat_id).sort()).toEqual(
    [chat.id, chat.id, branch.id].sort(),
  );
  await client.rewind(chat.id, before_message);
  expect(await search('zanzibar')).toHaveLength(2);
  await client.deleteChat(chat.id);
  expect(await search('zanzibar')).toMatchObject([{ chat_id: branch.id }]);
});

test.each([
  '"',
  "it's",
  'a AND',
  'NOT',
  '*',
  'x:y',
  '%_',
  '-',
  '\\',
  '🦩',
  '((',
])('accepts any text as a query: %s', async q => {
  expect(await search(q)).toBeInstanceOf(Array);
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
