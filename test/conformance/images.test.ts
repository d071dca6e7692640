/** Tests images: sent with a message, and drawn by a model. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel } from '../harness/kernel.ts';
import { GIF, PNG } from '../harness/pictures.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, shape, withoutItems } from '../harness/story.ts';

const png = { media_type: 'image/png', data: PNG.toString('base64') } as const;
const gif = { media_type: 'image/gif', data: GIF.toString('base64') } as const;

describe('in', () => {
  const kernel = sharedKernel({
    settings: {
      llm: {
        default_model: 'scripted/plain',
        models: [{ id: 'scripted/plain' }, { id: 'scripted/blind', inputs: ['text'] }],
      },
    },
  });

  test('[IMG-1] [ITEM-6] shows a sent image to the model, in this turn and in later ones', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const stream = await client.begin(chat.id, { text: 'See.', images: [png, gif] });
    await stream.all();
    const seen = () =>
      upstream.requests
        .at(-1)
        ?.body.messages[1].content.map((part: { image_url?: { url: string } }) => part.image_url?.url);
    const urls = [png, gif].map(({ media_type, data }) => `data:${media_type};base64,${data}`);
    expect(seen()).toEqual([undefined, ...urls]);
    await client.say(chat.id, 'Do you remember?');
    expect(seen()).toEqual([undefined, ...urls]);
    expect((await client.items(chat.id))[0]).toMatchObject({
      kind: 'user_message',
      text: 'See.',
      attachments: [
        { kind: 'image', ...png },
        { kind: 'image', ...gif },
      ],
    });
    expect((await client.listMessages(chat.id)).messages[0]?.content).toEqual([
      { type: 'text', text: 'See.' },
      { type: 'image', ...png },
      { type: 'image', ...gif },
    ]);
  });

  test('[IMG-1] accepts an image without text', async () => {
    const { client } = kernel;
    const chat = await client.createChat();
    await (await client.begin(chat.id, { images: [png] })).all();
    expect((await client.items(chat.id))[0]).toMatchObject({ text: '', attachments: [{ kind: 'image' }] });
  });

  test('[IMG-1] tells a model without image input that there is an image, and continues the turn', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat({ model: 'scripted/blind' });
    const stream = await client.begin(chat.id, { text: 'See.', images: [png] });
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
    const told = JSON.stringify(upstream.requests.at(-1)?.body.messages[1]);
    expect(told).toMatch(/cannot see images/);
    expect(told).not.toContain(png.data);
  });

  test.each([
    ['invalid base64', { media_type: 'image/png', data: '***' }, 400, '/images/0/data'],
    ['empty data', { media_type: 'image/png', data: '' }, 400, '/images/0/data'],
    [
      'a data URL',
      { media_type: 'image/png', data: `data:image/png;base64,${png.data}` },
      400,
      '/images/0/data',
    ],
    [
      'data that is not an image',
      { media_type: 'image/png', data: btoa('Hello there, I am text.') },
      400,
      '/images/0/data',
    ],
    ['an image of another type', { ...png, media_type: 'image/jpeg' }, 400, '/images/0/media_type'],
    ['a type that no model supports', { ...png, media_type: 'image/svg+xml' }, 422, '/images/0/media_type'],
  ])('[IMG-1] [TURN-9] rejects %s', async (_, image, status, pointer) => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    const answer = await api.post(`/v1/chats/${chat.id}/messages`, { text: 'See.', images: [image] });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer]);
    expect(answer.body.code).toBe(status === 400 ? 'invalid_value' : 'schema_mismatch');
    expect(await client.items(chat.id)).toEqual([]);
  });
});

describe('out', () => {
  const model = 'scripted/gemini-3-pro-image';
  const drawing = () =>
    startKernel({ kind: 'google', settings: { llm: { default_model: model, models: [{ id: model }] } } });

  test('[MARK-3] stores a marker for a drawn image in the history, which later turns read', async () => {
    const { client, upstream, stop } = await drawing();
    onTestFinished(stop);
    const chat = await client.createChat();
    upstream.next({ steps: [{ image: { media_type: 'image/png', bytes: PNG } }] });
    const [image] = eventsOf(await client.say(chat.id, 'Draw.'), 'image');
    const marker = `[image ${image?.id}] ${image?.url}`;
    const [, answer] = (await client.listMessages(chat.id)).messages;
    expect(answer?.content).toEqual([{ type: 'text', text: marker }]);
    await client.say(chat.id, 'Thanks.');
    expect(JSON.stringify(upstream.requests.at(-1)?.body.contents)).toContain(marker);
  });

  test('[EV-8] sends a drawn image with id, type and address, between the text around it', async () => {
    const { client, upstream, stop } = await drawing();
    onTestFinished(stop);
    const chat = await client.createChat();
    upstream.next({
      steps: [{ text: 'Here:' }, { image: { media_type: 'image/png', bytes: PNG } }, { text: 'Nice?' }],
    });
    const events = await client.say(chat.id, 'Draw.');
    expect(shape(withoutItems(events))).toEqual(['text_delta', 'image', 'text_delta', 'usage', 'done']);
    const [image] = eventsOf(events, 'image');
    expect(Object.keys(image ?? {})).toEqual(['type', 'id', 'media_type', 'url']);
    expect(image).toMatchObject({ id: expect.stringMatching(UUID4), media_type: 'image/png' });
    expect(image?.url.endsWith(`/images/${image.id}`)).toBe(true);
  });

  test('[IMG-2] stores a drawn image as an item of its turn, and serves it unchanged', async () => {
    const { api, client, upstream, stop } = await drawing();
    onTestFinished(stop);
    const chat = await client.createChat();
    upstream.next({
      steps: [{ text: 'Here:' }, { image: { media_type: 'image/png', bytes: PNG } }, { text: 'Nice?' }],
    });
    const stream = await client.begin(chat.id, { text: 'Draw.' });
    const events = await stream.all();
    const [image] = eventsOf(events, 'image');
    const items = foldItems(events);
    expect(items.map(item => item.kind)).toEqual(['agent_message', 'image', 'agent_message']);
    expect(items[1]).toMatchObject({ image_id: image?.id, media_type: 'image/png', url: image?.url });
    expect(comparable(await client.items(chat.id))).toEqual(comparable(items));
    const [, answer] = (await client.listMessages(chat.id)).messages;
    expect(answer?.content).toEqual([
      { type: 'text', text: 'Here:' },
      { type: 'text', text: `[image ${image?.id}] ${image?.url}` },
      { type: 'text', text: 'Nice?' },
    ]);

    const bytes = await api.get(`/images/${image?.id}`);
    expect(bytes.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringContaining('immutable'),
      'x-content-type-options': 'nosniff',
    });
    expect(PNG.equals(bytes.body)).toBe(true);
    for (const id of ['01900000-0000-4000-8000-000000000000', 'picture', '..%2F..%2Fetc%2Fpasswd']) {
      expect((await api.get(`/images/${id}`)).status).toBe(404);
    }
    // Later turns know it only by the marker.
    await client.say(chat.id, 'Thanks.');
    expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
    expect(JSON.stringify(upstream.requests.at(-1)?.body.contents)).toContain(`[image ${image?.id}]`);
  });
});

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
