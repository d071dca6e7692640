/** Tests images in provider requests. */
import type { StoredBlock } from '@chat-kernel/kernel';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openWire, request, trip, user, WIRE_KINDS, type WireStand } from './wires.ts';

let stand: WireStand;

let ids = 0;
const imageBlock = (): StoredBlock & { internal: { image_id: string } } => ({
  type: 'image',
  media_type: 'image/png',
  data: '',
  internal: { image_id: `image-${++ids}` },
});
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } });
const noise = (side: number) =>
  sharp(crypto.getRandomValues(Buffer.alloc(65_536)), {
    raw: { width: 128, height: 128, channels: 4 },
  }).resize(side, side);

/** Returns media types and bytes of the images in the newest request. */
function sentImages(): { media_type: string; bytes: Buffer }[] {
  const body = JSON.stringify(stand.upstream.requests.at(-1)?.body);
  const shapes = [
    /"media_type":"(image\/\w+)","data":"([\w+/=]+)"/g,
    /"mimeType":"(image\/\w+)","data":"([\w+/=]+)"/g,
    /data:(image\/\w+);base64,([\w+/=]+)/g,
  ];
  return shapes
    .flatMap(shape => [...body.matchAll(shape)])
    .map(([, media_type, data]) => ({ media_type: media_type!, bytes: Buffer.from(data!, 'base64') }));
}

async function send(bytes: Uint8Array | undefined, block: StoredBlock = imageBlock()) {
  const { error } = await trip(
    stand.model,
    request({ messages: [user('look', block)], loadImage: async () => bytes }),
  );
  expect(error).toBeUndefined();
  return sentImages();
}

describe.each(WIRE_KINDS)('%s', kind => {
  test('[IMG-1] sends an image that fits unchanged, and scales down a larger one', async () => {
    stand = await openWire(kind);
    const small = await blank(300, 200).png().toBuffer();
    const [untouched] = await send(small);
    expect(untouched).toEqual({ media_type: 'image/png', bytes: small });

    const [scaled] = await send(await blank(4000, 1000).jpeg().toBuffer());
    expect(scaled?.media_type).toBe('image/jpeg');
    expect(await sharp(scaled?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1568, height: 392 });
  });
});

test('limits an image to 5 MB of base64, regardless of its content', async () => {
  stand = await openWire('anthropic');
  const bytes = await noise(1568).png({ compressionLevel: 0 }).toBuffer();
  expect(bytes.length).toBeGreaterThan(5_000_000);
  const [image] = await send(bytes);
  expect(image!.bytes.toString('base64').length).toBeLessThanOrEqual(5 * 1024 * 1024);
});

test('keeps webp and gif, and detects formats by content instead of by name', async () => {
  stand = await openWire('anthropic');
  expect((await send(await blank(20, 20).webp().toBuffer()))[0]?.media_type).toBe('image/webp');
  expect((await send(await blank(20, 20).gif().toBuffer()))[0]?.media_type).toBe('image/gif');
});

test('replaces a broken image, a missing one, and one for a model without vision with notes', async () => {
  stand = await openWire('openai-compatible');
  const said = () => JSON.stringify(stand.upstream.requests.at(-1)?.body.messages);
  expect(await send(Uint8Array.from([1, 2, 3]))).toEqual([]);
  expect(said()).toContain('it is broken');
  expect(await send(undefined)).toEqual([]);
  expect(said()).toContain('no longer stored');
  await stand.close();
  stand = await openWire('openai-compatible', { entry: { inputs: ['text'] } });
  expect(await send(await blank(20, 20).png().toBuffer())).toEqual([]);
  expect(said()).toContain('cannot see images');
});

test('loads bytes once, also for later turns, and sends inline data, too', async () => {
  stand = await openWire('openai');
  const bytes = await blank(30, 30).png().toBuffer();
  const messages = [user('look', imageBlock())];
  let loads = 0;
  const loadImage = async () => {
    loads += 1;
    return bytes;
  };
  await trip(stand.model, request({ messages, loadImage }));
  await trip(stand.model, request({ messages, loadImage }));
  expect(loads).toBe(1);
  expect(sentImages()).toHaveLength(1);
  const inline: StoredBlock = { type: 'image', media_type: 'image/png', data: bytes.toString('base64') };
  expect((await send(undefined, inline))[0]?.bytes).toEqual(bytes);
});

test('omits the oldest images beyond the limit of a request', async () => {
  stand = await openWire('anthropic');
  const bytes = await blank(10, 10).png().toBuffer();
  const block = imageBlock();
  const messages = [user(imageBlock(), 'oldest'), user(...Array.from({ length: 100 }, () => block))];
  await trip(stand.model, request({ messages, loadImage: async () => bytes }));
  expect(sentImages()).toHaveLength(100);
  expect(JSON.stringify(stand.upstream.requests.at(-1)?.body.messages[0])).toContain('no room');
});

test('does not treat an unreadable store as a broken image', async () => {
  stand = await openWire('anthropic');
  const { error } = await trip(
    stand.model,
    request({ messages: [user(imageBlock())], loadImage: () => Promise.reject(new Error('disk')) }),
  );
  expect(error).toMatchObject({ code: 'internal' });
});
