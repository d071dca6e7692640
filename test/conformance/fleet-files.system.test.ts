/**
 * Tests files, images and books of kernels that share a database: where their bytes are, and who may read them
 * (FLEET-5).
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { PNG } from '../harness/pictures.ts';
import { startKernelProcess } from '../harness/process.ts';
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

describe.each(['Postgres', 'S3'])('in %s', place => {
  const settings = () => ({ files: place === 'S3' ? { store: { s3: s3.settings } } : {} });

  test(
    '[FLEET-5] reads at one kernel what another one stored, also after the first is gone with its disk',
    PATIENT,
    async () => {
      const fleet = await openFleet();
      const [a, b] = [await fleet.start('left', settings()), await fleet.start('right', settings())];
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

      const late = await fleet.start('late', settings());
      await a.kill();
      expect(bytes.equals((await late.api.get(`/files/${file.id}`)).body)).toBe(true);
      await expect.poll(async () => (await late.api.get('/v1/kernels')).body.kernels.length, PATIENT).toBe(1);
      expect((await late.api.delete(`/v1/chats/${chat.id}`)).status).toBe(200);
      expect((await late.api.get(`/files/${note.id}`)).status).toBe(404);
    },
  );
});

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

test('[FLEET-5] moves the files of a single kernel to the shared backend by a command that requires all kernels to be stopped', async () => {
  const fleet = await openFleet();
  const dataDir = directoryOfTest();
  const alone = { upstream: fleet.upstream, database: fleet.database, dataDir };
  const old = await startKernelProcess({ ...alone, settings: { files: { store: { in: 'data_dir' } } } });
  const { body: file } = await old.api.raw('/v1/files', { method: 'POST', headers: {}, body: 'Some words.' });
  expect(readdirSync(dataDir)).toContain('files');
  const words = (to: string) => [
    ...['files', 'move', '--to', to, '--data', dataDir],
    ...['--set', `database.url=${fleet.database}`],
  ];
  const home = directoryOfTest();
  expect(await runCommand(words('postgres'), home)).toMatchObject({
    code: 1,
    err: `chat-kernel: Another kernel uses this data directory: ${dataDir}.\n`,
  });
  await old.stop();
  expect(await runCommand(words('moon'), home)).toMatchObject({
    code: 1,
    err: 'chat-kernel: --to must be one of data_dir, postgres, s3.\n',
  });
  expect(await runCommand(words('s3'), home)).toMatchObject({
    code: 1,
    err: 'chat-kernel: The settings name no S3: set files.store.s3.\n',
  });
  expect(await runCommand(words('postgres'), home)).toMatchObject({
    code: 0,
    out: 'Moved 1 files and images to postgres, 0.0 MiB.\n',
    err: 'files: 1\n',
  });
  rmSync(join(dataDir, 'files'), { recursive: true });
  const kernel = await fleet.start();
  expect((await kernel.api.get(`/files/${file.id}`)).body.toString()).toBe('Some words.');
});
