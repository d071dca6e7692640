/** Tests files: uploaded as bytes, announced to the model by a marker, read back unchanged. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls } from '../harness/story.ts';

const MOST = 100_000;
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const data = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: data.path, settings: { files: { max_bytes: MOST } } });
});
afterAll(async () => {
  await kernel.stop();
  data.remove();
});

/** Returns the whole response; a body is sent unchanged. */
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  kernel.api.raw('/v1/files', { method: 'POST', headers, body });

async function upload(body: string | Buffer, type?: string, name?: string) {
  const answer = await post(body, {
    ...(type !== undefined && { 'content-type': type }),
    ...(name !== undefined && { 'x-file-name': encodeURIComponent(name) }),
  });
  expect(answer.status).toBe(201);
  (await kernel.api.document()).checkAnswer({
    method: 'POST',
    path: '/v1/files',
    status: answer.status,
    contentType: 'application/json',
    body: answer.body,
  });
  return answer.body as { id: string; name: string; media_type: string; size: number };
}

describe('upload', () => {
  test('[FILE-1] stores bytes of any type as a file with the decoded name', async () => {
    const bytes = Buffer.from([0, 1, 2, 0xff, 0xfe, 10, 13]);
    const file = await upload(bytes, 'Application/X-Thing; charset=x', 'Grüße 👩‍👩‍👧 100%.bin');
    expect(file).toEqual({
      id: expect.stringMatching(UUID4),
      name: 'Grüße 👩‍👩‍👧 100%.bin',
      media_type: 'application/x-thing',
      size: 7,
    });
    expect(bytes.equals((await kernel.api.get(`/files/${file.id}`)).body)).toBe(true);
  });

  test('[FILE-1] stores JSON as bytes, also if it is invalid, and keeps parsing it on other routes', async () => {
    const { api } = kernel;
    const file = await upload('{"half": ', 'application/json', 'a.json');
    expect(file).toMatchObject({ media_type: 'application/json', size: 9 });
    const got = await fetch(`${kernel.url}/files/${file.id}`);
    expect([got.headers.get('content-type'), await got.text()]).toEqual(['application/json', '{"half": ']);
    const raw = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' };
    expect((await api.raw('/v1/chats', raw)).status).toBe(415);
  });

  test.each([
    ['text/plain', 'file.txt'],
    ['image/png', 'file.png'],
    ['application/x-unheard-of', 'file'],
  ])('[FILE-1] names a file of %s without a name %s', async (type, name) => {
    expect((await upload('x', type)).name).toBe(name);
    const { id } = await upload('x', type, ' .. ');
    const { headers } = await kernel.api.get(`/files/${id}`);
    expect(headers['content-disposition']).toContain(`filename="${name}"`);
  });

  test.each([
    'nothing at all',
    '',
    '/',
    'a/b/c',
    'text/html\t,x',
  ])('[FILE-1] treats an invalid Content-Type (%j) as unknown or rejects it', async type => {
    const answer = await post('x', { 'content-type': type });
    if (answer.status === 415) expect(answer.body.code).toBe('unsupported_media_type');
    else expect(answer.body.media_type).toBe('application/octet-stream');
  });

  test('[FILE-1] stores an empty file without bytes and type', async () => {
    expect(await upload('')).toMatchObject({ media_type: 'application/octet-stream', size: 0, name: 'file' });
    expect(await upload('', 'text/plain', 'a.txt')).toMatchObject({ size: 0 });
  });

  test('[FILE-1] rejects a form', async () => {
    const answer = await post('--x--', { 'content-type': 'multipart/form-data; boundary=x' });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    '%',
    '%zz',
    '%ff',
    '%C3',
    'a%E2%82',
    '\xe9.txt',
  ])('[FILE-1] rejects the name %j, which is not percent-encoded UTF-8', async name => {
    const answer = await post('x', { 'content-type': 'text/plain', 'x-file-name': name });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_value']);
  });

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\plan.txt', 'plan.txt'],
    ['/', 'file.txt'],
    ['.', 'file.txt'],
    ['..', 'file.txt'],
    ['a\0b.txt', 'ab.txt'],
    ['x\r\nSet-Cookie: a=b\r\n\r\n<script>.txt', 'xSet-Cookie_ a=b_script_.txt'],
    ['a"; filename="b.txt', 'a_; filename=_b.txt'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['LPT¹', '_LPT¹'],
    ['Console.txt', 'Console.txt'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['\u2066a\u2069\u2028b.txt', 'ab.txt'],
    ['name.txt. . ', 'name.txt'],
    ['file.txt::$DATA', 'file.txt__$DATA'],
    ['.bashrc', '.bashrc'],
    ['-rf', '-rf'],
    ['e\u0301.txt', '\u00e9.txt'],
  ])('[FILE-1] keeps the name %j, and uses %j on disk and in headers', async (given, name) => {
    const file = await upload('x', 'text/plain', given);
    expect(file.name).toBe(given.replace('\0', ''));
    expect(existsSync(pathOf({ ...file, name }))).toBe(true);
    const { headers } = await kernel.api.get(`/files/${file.id}`);
    expect(headers['content-disposition']).toMatch(
      /^inline; filename="[^"\\%]*"; filename\*=UTF-8''[\w.%$!#&+^`|~-]*$/,
    );
    expect(headers).not.toHaveProperty('set-cookie');
    expect(decodeURIComponent(headers['content-disposition']?.split("''")[1] ?? '')).toBe(name);
  });

  test.each([
    `${'x'.repeat(300)}.tar.gz`,
    `${'👩‍👩‍👧'.repeat(60)}.pdf`,
    'é'.repeat(300),
    `.${'x'.repeat(400)}`,
  ])('[FILE-1] keeps a long name, and shortens it on disk between characters with its extension', async given => {
    const file = await upload('x', 'text/plain', given);
    expect(file.name).toBe(given);
    const { headers } = await kernel.api.get(`/files/${file.id}`);
    const name = decodeURIComponent(headers['content-disposition']?.split("''")[1] ?? '');
    expect(existsSync(pathOf({ ...file, name }))).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(name)).toBeGreaterThan(170);
    expect(name).not.toMatch(/\ufffd|\u200d(\.|$)/);
    const extension = /\.\w{1,5}$/.exec(given)?.[0] ?? '';
    expect(name.endsWith(extension)).toBe(true);
  });

  test('[FILE-1] [AUTH-4] rejects uploads from a foreign page, whatever type it sends', async () => {
    const before = stored();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined]) {
      for (const origin of ['https://evil.example', 'null']) {
        const answer = await post('x', { origin, ...(type !== undefined && { 'content-type': type }) });
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden_origin']);
      }
    }
    const rebound = await post('x', { host: 'evil.example', 'content-type': 'text/plain' });
    expect(rebound.body.code).toBe('forbidden_host');
    expect(stored()).toEqual(before);
    const own = await post('x', { origin: kernel.url, 'content-type': 'text/plain' });
    expect(own.status).toBe(201);
  });
});

describe('too large', () => {
  test('[FILE-2] accepts a file of exactly the limit', async () => {
    expect((await upload(Buffer.alloc(MOST))).size).toBe(MOST);
  });

  test('[FILE-2] rejects a larger Content-Length before the body is sent', async () => {
    const answer = await chunked([], { 'content-length': String(MOST + 1) }, { end: false });
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
    expect(answer.body.detail).toContain(String(MOST));
  });

  test('[FILE-2] rejects a larger body without Content-Length while receiving it, and removes it', async () => {
    const before = stored();
    const pieces = Array.from({ length: 10 }, () => Buffer.alloc(30_000));
    const answer = await chunked(pieces);
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
    // Even if the body never ends.
    expect((await chunked(pieces, {}, { end: false })).status).toBe(413);
    expect(stored()).toEqual(before);
  });

  test('[FILE-2] removes an interrupted upload', async () => {
    const before = stored();
    for (const headers of [{}, { 'content-length': '90000' }]) {
      const outgoing = request(`${kernel.url}/v1/files`, { method: 'POST', headers });
      outgoing.on('error', () => {});
      outgoing.write(Buffer.alloc(50_000));
      await expect.poll(() => stored().length).toBe(before.length + 1);
      outgoing.destroy();
      await expect.poll(() => stored()).toEqual(before);
    }
  });
});

describe('reading', () => {
  const TEXT = Buffer.from('0123456789');
  let id: string;
  beforeAll(async () => {
    ({ id } = await upload(TEXT, 'text/plain', 'ten.txt'));
  });
  const read = (range?: string, more: Record<string, string> = {}) =>
    kernel.api.get(`/files/${id}`, { ...(range !== undefined && { range }), ...more });

  test('[FILE-3] returns the whole file with its type, length and name', async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(TEXT);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="ten.txt"; filename*=UTF-8''ten.txt`,
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${id}"`,
    });
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  test.each([
    ['bytes=0-0', '0', '0-0'],
    ['bytes=2-4', '234', '2-4'],
    ['bytes=7-', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-99', '0123456789', '0-9'],
    ['bytes=0-99999999999999999999', '0123456789', '0-9'],
    ['BYTES=9-9', '9', '9-9'],
  ])('[FILE-3] returns %s as %j', async (range, text, told) => {
    const answer = await read(range);
    expect([answer.status, answer.body.toString()]).toEqual([206, text]);
    expect(answer.headers['content-range']).toBe(`bytes ${told}/10`);
    expect(answer.headers['content-length']).toBe(String(text.length));
  });

  test.each([
    'bytes=10-',
    'bytes=10-11',
    'bytes=-0',
    'bytes=99999999999999999999-',
  ])('[FILE-3] [API-8] returns 416 for %s', async range => {
    const answer = await read(range);
    expect([answer.status, answer.body.code]).toEqual([416, 'range_not_satisfiable']);
    expect(answer.headers['content-range']).toBe('bytes */10');
  });

  test.each([
    'bytes=4-2',
    'bytes=0-1,3-4',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'lines=1-2',
    'bytes 1-2',
  ])('[FILE-3] returns the whole file for %s', async range => {
    const answer = await read(range);
    expect([answer.status, answer.body.toString()]).toEqual([200, TEXT.toString()]);
  });

  test('[FILE-3] applies If-Range only to this version of the file', async () => {
    expect((await read('bytes=1-2', { 'if-range': `"${id}"` })).status).toBe(206);
    expect((await read('bytes=1-2', { 'if-range': '"other"' })).status).toBe(200);
  });

  test('[FILE-3] has no range in an empty file', async () => {
    const empty = await upload('', 'text/plain');
    expect((await kernel.api.get(`/files/${empty.id}`)).headers['content-length']).toBe('0');
    expect((await kernel.api.get(`/files/${empty.id}`, { range: 'bytes=0-' })).status).toBe(416);
  });

  test('[FILE-3] answers HEAD with the same headers and no body', async () => {
    const get = await read('bytes=2-4');
    const head = await kernel.api.raw(`/files/${id}`, { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect(head.body).toBeUndefined();
    expect(head.status).toBe(206);
    const own = ({ headers: { date: _date, 'x-request-id': _id, ...headers } }: Answer) => headers;
    expect(own(head)).toEqual(own(get));
  });

  test.each([
    '01900000-0000-4000-8000-000000000000',
    'x',
    '..%2F..%2Fchat-kernel.db',
  ])('[FILE-3] returns 404 for %s', async other => {
    expect((await kernel.api.get(`/files/${other}`)).status).toBe(404);
  });

  test.each([
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/xml', 'attachment'],
    ['text/javascript', 'attachment'],
    ['application/octet-stream', 'attachment'],
    ['image/png', 'inline'],
    ['audio/mpeg', 'inline'],
    ['video/mp4', 'inline'],
    ['application/pdf', 'inline'],
    ['text/plain', 'inline'],
  ])('[FILE-3] [AUTH-4] serves a file of type %s without running its content: %s', async (type, way) => {
    const file = await upload('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', type, 'a');
    const { headers } = await kernel.api.get(`/files/${file.id}`);
    expect(headers['content-type']?.split(';')[0]).toBe(type);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${way};`));
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
    expect(headers['content-security-policy']).not.toMatch(/script|allow-/);
  });
});

describe('in a turn', () => {
  test('[FILE-4] gives the model a marker without bytes, and returns the item without data', async () => {
    const { client, upstream } = kernel;
    const secret = 'BYTES-OF-THE-FILE'.repeat(100);
    const file = await upload(secret, 'text/plain', 'Bericht – März.txt');
    const chat = await client.createChat();
    await (await client.begin(chat.id, { text: 'Read.', files: [{ id: file.id }, { id: file.id }] })).all();
    const marker = `[file ${file.id}] Bericht – März.txt (1.7 KB) — readable at ${pathOf(file)}`;
    const content = (await client.listMessages(chat.id)).messages[0]?.content;
    expect(content).toEqual([
      { type: 'text', text: 'Read.' },
      { type: 'text', text: marker },
    ]);
    expect(sentTexts(upstream.requests.at(-1)?.body.messages[1].content)).toContain(marker);
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('BYTES-OF-THE-FILE');
    expect((await client.items(chat.id))[0]).toMatchObject({
      kind: 'user_message',
      text: 'Read.',
      attachments: [
        {
          kind: 'file',
          id: file.id,
          name: file.name,
          size: 1700,
          media_type: 'text/plain',
          url: `/files/${file.id}`,
        },
      ],
    });
    expect(JSON.stringify(await client.items(chat.id))).not.toContain('"data"');
  });

  test('[FILE-4] [BT-1] reads the file with read_file at that path, and no other file of the kernel', async () => {
    const { client, upstream } = kernel;
    const file = await upload('the content\n', 'text/plain', 'a.txt');
    const chat = await client.createChat();
    const near = [
      `${data.path}/chat-kernel.db`,
      `${data.path}/files/../chat-kernel.db`,
      `${data.path}/files`,
    ];
    upstream.next(calls('c1', 'read_file', { files: [pathOf(file), ...near].map(path => ({ path })) }));
    await (await client.begin(chat.id, { files: [{ id: file.id }] })).all();
    const [call] = (await client.items(chat.id)).filter(item => item.kind === 'tool_call');
    const output = (call as { output?: string }).output ?? '';
    expect(output).toContain(`== ${pathOf(file)}\nthe content`);
    expect(output.match(/belongs to the kernel/g)).toHaveLength(near.length);
  });

  test('[FILE-4] protects uploads from changes by tools', async () => {
    const { api, client, upstream } = kernel;
    const file = await upload('the content\n', 'text/plain', 'a.txt');
    const chat = await client.createChat();
    upstream.next(calls('c1', 'write_file', { path: pathOf(file), content: 'changed' }));
    upstream.next(calls('c2', 'edit_file', { path: pathOf(file), old: 'content', new: 'changed' }));
    await (await client.begin(chat.id, { text: 'Change it.', files: [{ id: file.id }] })).all();
    expect((await api.get(`/files/${file.id}`)).body.toString()).toBe('the content\n');
    const items = (await client.items(chat.id)).filter(item => item.kind === 'tool_call');
    expect(items.map(item => item.status)).toEqual(['failed', 'failed']);
  });

  test('[FILE-4] [MARK-4] copies the file into the working directory of the chat on this machine', async () => {
    const { client } = kernel;
    const { path: workdir, remove } = temporaryDirectory();
    onTestFinished(remove);
    const file = await upload('the content\n', 'text/plain', 'a.txt');
    const chat = await client.createChat({ workdir, workdir_on: 'server' });
    await (await client.begin(chat.id, { files: [{ id: file.id }] })).all();
    const copy = join(workdir, '.service/files', file.id, 'a.txt');
    expect(readFileSync(copy, 'utf8')).toBe('the content\n');
    expect(await markerOf(chat.id)).toBe(`[file ${file.id}] a.txt (12 B) — readable at ${copy}`);
  });

  test("[FILE-4] uses the kernel's own path if that directory is missing or a link leads out of it", async () => {
    const { client } = kernel;
    const file = await upload('the content\n', 'text/plain', 'a.txt');
    for (const workdir of ['/nowhere/at/all', 'relative', `${data.path}/chat-kernel.db`]) {
      const chat = await client.createChat({ workdir, workdir_on: 'server' });
      await (await client.begin(chat.id, { files: [{ id: file.id }] })).all();
      expect(await markerOf(chat.id)).toContain(`readable at ${pathOf(file)}`);
    }
  });
});

/** Where the kernel stores the file. */
const pathOf = ({ id, name }: { id: string; name: string }) =>
  join(data.path, 'files', id.slice(0, 2), id, name);

/** All files that the kernel has on disk, including partial ones. */
function stored(): string[] {
  const directory = join(data.path, 'files');
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

async function markerOf(chatId: string): Promise<string> {
  const [message] = (await kernel.client.listMessages(chatId)).messages;
  return (message!.content[0] as { text: string }).text;
}

/** The texts of a message as the provider received it. */
const sentTexts = (content: string | { text?: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');

/** Sends pieces as fast as they are accepted, until a response arrives. Without `end` the body stays open. */
function chunked(
  pieces: Iterable<Buffer>,
  headers: Record<string, string> = {},
  { end = true } = {},
): Promise<{ status: number; body: { code: string; detail: string } }> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request(
      `${kernel.url}/v1/files`,
      { method: 'POST', headers, agent: false },
      async incoming => {
        answered = true;
        const body = JSON.parse((await incoming.toArray()).join(''));
        outgoing.destroy();
        resolve({ status: incoming.statusCode ?? 0, body });
      },
    );
    outgoing.on('error', error => answered || reject(error));
    outgoing.flushHeaders();
    const source = pieces[Symbol.iterator]();
    const send = () => {
      for (let next = source.next(); ; next = source.next()) {
        if (answered) return;
        if (next.done) {
          if (end) outgoing.end();
          return;
        }
        if (!outgoing.write(next.value)) {
          outgoing.once('drain', send);
          return;
        }
      }
    };
    send();
  });
}
