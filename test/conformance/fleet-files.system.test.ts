import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { PNG } from '../harness/pictures.ts';
import { startS3, type TestS3 } from '../harness/s3.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { bytesOf } from '../harness/varied-bytes.ts';

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await stopPostgres();
  await s3.stop();
});

const PATIENT = { timeout: 60_000, interval: 50 };
const BOOK = '# Waves\n\nThe harbour at dawn.\n';

async function upload({ api }: FleetKernel, body: Buffer | string, name = 'a.bin', type = 'text/plain') {
  const headers = { 'content-type': type, 'x-file-name': name };
  const answer = await api.raw('/v1/files', { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; size: number };
}

test(
  '[FLEET-5] reads at one kernel what another one stored, also after the first is gone with its disk',
  PATIENT,
  async () => {
    const fleet = await openFleet();
    const [a, b] = [await fleet.start('left'), await fleet.start('right')];
    const bytes = bytesOf(9_000_001);
    const file = await upload(a, bytes);
    const note = await upload(a, 'The key is under the stone.', 'note.txt');
    const book = await upload(a, BOOK, 'waves.md', 'text/markdown');

    const whole = await b.api.get(`/files/${file.id}`);
    expect([whole.status, whole.headers['content-length']]).toEqual([200, '9000001']);
    expect(bytes.equals(whole.body)).toBe(true);
    const range = await b.api.raw(`/files/${file.id}`, {
      method: 'GET',
      headers: { range: 'bytes=262143-262145' },
    });
    expect([range.status, range.headers['content-range']]).toEqual([206, 'bytes 262143-262145/9000001']);
    expect(bytes.subarray(262_143, 262_146).equals(range.body)).toBe(true);

    // Each kernel knows the path in the marker, so the chat can continue on any of them.
    const chat = await b.api.newChat({ toolset: { loaded: ['books'] } });
    fleet.upstream.next(
      calls('r', 'read_file', { files: [{ path: `file:${note.id}` }] }),
      calls('u', 'books_upload', { file_id: book.id }),
      says('done'),
    );
    const image = { media_type: 'image/png' as const, data: PNG.toString('base64') };
    const stream = await b.api.turn(chat.id, {
      text: 'Read.',
      files: [{ id: note.id }, { id: book.id }],
      images: [image],
    });
    await stream.closed();
    const asked = JSON.stringify(fleet.upstream.requests[0]);
    expect(asked).toContain(`[file ${note.id}] note.txt (27 B) — readable at file:${note.id}`);
    expect(asked).toContain(image.data);
    const [read, shelved] = eventsOf(stream.events, 'tool_result').map(({ output }) => output);
    expect(read).toContain('The key is under the stone.');
    expect(shelved).toContain('"Waves"');

    // Both kernels know the book, and both show the model the picture that one of them received.
    fleet.upstream.next(calls('s', 'books_search', { query: 'harbour' }), says('found'));
    const there = await a.api.newChat({ toolset: { loaded: ['books'] } });
    const found = eventsOf(await a.api.say(there.id, 'Where is the harbour?'), 'tool_result');
    expect(found[0]?.output).toContain('The **harbour** at dawn.');
    await b.kill();
    await expect.poll(async () => (await a.api.get('/v1/kernels')).body.kernels.length, PATIENT).toBe(1);
    await a.api.say(chat.id, 'What did you see?');
    expect(JSON.stringify(fleet.upstream.requests.at(-1))).toContain(image.data);

    const late = await fleet.start('late');
    await a.kill();
    expect(bytes.equals((await late.api.get(`/files/${file.id}`)).body)).toBe(true);
    await expect.poll(async () => (await late.api.get('/v1/kernels')).body.kernels.length, PATIENT).toBe(1);
    expect((await late.api.delete(`/v1/chats/${chat.id}`)).status).toBe(200);
    expect((await late.api.get(`/files/${note.id}`)).status).toBe(404);
  },
);

test('[FLEET-5] returns 503 with a clear message, and never 500, if S3 is unreachable', async () => {
  const fleet = await openFleet();
  const settings = { files: { store: { s3: s3.settings } } };
  const [a, b] = [await fleet.start('left', settings), await fleet.start('right', settings)];
  const file = await upload(a, 'Some words.');
  s3.network.cut();
  onTestFinished(() => s3.network.restore());
  const away = {
    code: 'storage_unavailable',
    detail: expect.stringMatching(
      /^The kernel cannot reach its files now: S3 at 127\.0\.0\.1:\d+, bucket chat-files, does not answer/,
    ),
  };
  const read = await b.api.get(`/files/${file.id}`);
  expect(read).toMatchObject({ status: 503, body: away });
  expect(read.headers['retry-after']).toBeDefined();
  const sent = await b.api.raw('/v1/files', { method: 'POST', headers: {}, body: 'More words.' });
  expect(sent).toMatchObject({ status: 503, body: away });
  // Work that needs no file continues.
  const chat = await b.api.newChat();
  expect((await b.api.say(chat.id, 'Hello.')).at(-1)).toMatchObject({ status: 'completed' });
  s3.network.restore();
  expect((await b.api.get(`/files/${file.id}`)).body.toString()).toBe('Some words.');
});
