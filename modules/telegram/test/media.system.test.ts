/** Tests incoming photos and files, and outgoing images and long texts. */
import { expect, test } from 'vitest';
import { PNG } from '../../../test/harness/pictures.ts';
import { says } from '../../../test/harness/story.ts';
import { ANN, eventually, sharedWorld } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';

const world = sharedWorld();

test('passes a photo to the model as an image and a document as a file', async () => {
  const { api, kernel, hears, said } = world();
  api.files
    .set('photo', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'))
    .set('doc', Buffer.from('a,b'));
  const size = { file_id: 'small', file_unique_id: 's', width: 1, height: 1 };
  api.write(ANN, { caption: 'What is it?', photo: [size, { ...size, file_id: 'photo' }] });
  await hears('ok');
  api.write(ANN, {
    document: { file_id: 'doc', file_unique_id: 'd', file_name: 'a.csv', mime_type: 'text/csv' },
  });
  await eventually(() => expect(said()).toEqual(['ok', 'ok']));
  const [chat] = (await kernel.client.listChats({ shelf: 'telegram' })).chats;
  const items = (await kernel.api.items(chat!.id)).filter(({ kind }) => kind === 'user_message');
  expect(items).toMatchObject([
    { text: 'What is it?', attachments: [{ kind: 'image', media_type: 'image/jpeg' }] },
    { attachments: [{ kind: 'file', name: 'a.csv', media_type: 'text/csv', size: 3 }] },
  ]);
});

test('reports a file over the Telegram limit to the model and the sender', async () => {
  const { api, kernel, hears } = world();
  const document = {
    file_id: 'big',
    file_unique_id: 'b',
    file_name: 'film.mkv',
    file_size: 21 * 1024 * 1024,
  };
  api.write(ANN, { caption: 'See.', document });
  await hears('ok');
  const asked = JSON.stringify(kernel.upstream.requests.at(-1)?.body);
  expect(asked).toContain('film.mkv is larger than 20 MB, the limit for files that Telegram passes to bots.');
});

test('sends an image of the model as a photo between the surrounding texts', async () => {
  const { api, kernel, hears, shown } = world();
  const image = { media_type: 'image/png', bytes: PNG };
  kernel.upstream.next({ steps: [{ text: 'Here:' }, { image }] });
  api.write(ANN, { text: 'Draw.' });
  await hears('Here:');
  await eventually(() => expect(shown().map(({ file }) => file?.kind)).toEqual([undefined, 'photo']));
  expect(shown()[1]?.file?.bytes.equals(PNG)).toBe(true);
});

test('sends consecutive images as one album, or one by one if Telegram rejects the album', async () => {
  const { api, kernel, hears, shown } = world();
  const image = { media_type: 'image/png', bytes: PNG };
  kernel.upstream.next({ steps: [{ image }, { image }, { text: 'Two.' }] });
  api.write(ANN, { text: 'Draw.' });
  await hears('Two.');
  expect(shown().map(({ file }) => file?.kind)).toEqual(['photo', 'photo', undefined]);
  expect(api.of('sendMediaGroup').map(({ media }) => (media as object[]).length)).toEqual([2]);
  const refusal = new Refusal(400, 'Bad Request: PHOTO_INVALID_DIMENSIONS');
  api.fault({ method: 'sendMediaGroup', how: 'refuse', refusal });
  kernel.upstream.next({ steps: [{ image }, { image }, { text: 'Again.' }] });
  api.write(ANN, { text: 'Draw.' });
  await hears('Again.');
  expect(api.of('sendPhoto')).toHaveLength(2);
  expect(
    shown()
      .slice(3)
      .map(({ file }) => file?.kind),
  ).toEqual(['photo', 'photo', undefined]);
});

test('splits a long answer into ordered messages without losing text', async () => {
  const { api, kernel, said } = world();
  const paragraphs = Array.from(
    { length: 40 },
    (_, index) => `Paragraph ${index}: ${'word '.repeat(60)}end.`,
  );
  kernel.upstream.next(says(paragraphs.join('\n\n')));
  api.write(ANN, { text: 'Tell.' });
  await eventually(() => expect(said().join('\n\n')).toBe(paragraphs.join('\n\n')));
  expect(said().length).toBeGreaterThan(3);
});

test('sends plain text if Telegram cannot parse the HTML', async () => {
  const { api, kernel, hears } = world();
  const refusal = new Refusal(400, "Bad Request: can't parse entities: Unsupported start tag");
  api.fault({ method: 'sendMessage', how: 'refuse', refusal });
  kernel.upstream.next(says('**Bold**'));
  api.write(ANN, { text: 'Hi.' });
  expect((await hears('**Bold**')).html).toBe(false);
});

test('waits for the time in retry_after and then sends the answer', async () => {
  const { api, hears, said } = world();
  const refusal = new Refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 });
  api.fault({ method: 'sendMessage', how: 'refuse', refusal });
  const before = Date.now();
  api.write(ANN, { text: 'Hi.' });
  await hears('ok');
  expect(Date.now() - before).toBeGreaterThanOrEqual(1000);
  expect(said()).toEqual(['ok']);
});
