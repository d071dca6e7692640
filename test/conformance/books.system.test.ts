/** Tests books: files that are added to the shelf of a chat, and searched and read there. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Book, EventOf, JsonObject } from '@chat-kernel/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { epubOf, pdfOf } from '../../packages/features/test/books/files.ts';
import type { ApiClient } from '../harness/client.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import type { TestClient } from '../harness/kernel-client.ts';
import { PATIENT } from '../harness/patient.ts';
import { startKernelProcess } from '../harness/process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

const WAVES = pdfOf(['The harbour at dawn.', 'Waves break on the mole.', 'The harbour sleeps.'], {
  info: '/Title (Waves) /Author (Ann)',
});
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const newChat = (client: TestClient, fields: JsonObject = {}) =>
  client.createChat({ toolset: { loaded: ['books'] }, ...fields });

async function upload(api: ApiClient, body: Buffer, name: string): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/octet-stream', 'x-file-name': encodeURIComponent(name) };
  return (await api.raw('/v1/files', { method: 'POST', headers, body })).body;
}

/** Lets the model make these calls in order; returns the results that it read. */
async function outputs(
  { client, upstream }: Pick<TestKernel, 'client' | 'upstream'>,
  chatId: string,
  made: [name: string, input: JsonObject][],
  body: JsonObject = {},
) {
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  const events = await client.say(chatId, 'Go.', body);
  return eventsOf(events, 'tool_result').map(({ output, is_error }) =>
    is_error ? `error: ${output}` : output,
  );
}

/** Adds a book to the shelf of a chat; returns what the model read. */
async function shelve(
  kernel: TestKernel,
  chatId: string,
  bytes: Buffer,
  name: string,
  more: JsonObject = {},
) {
  const file = await upload(kernel.api, bytes, name);
  const [output = ''] = await outputs(kernel, chatId, [['books_upload', { file_id: file.id, ...more }]]);
  return { output, id: UUID.exec(output)?.[0] ?? '' };
}

/** Reads a book from its beginning with the ranges that the results name; returns the results. */
async function readToEnd(kernel: TestKernel, chatId: string, book_id: string): Promise<string[]> {
  const read: string[] = [];
  for (let place: string | undefined = '1'; place !== undefined; ) {
    const [part = ''] = await outputs(kernel, chatId, [['books_read', { book_id, place }]]);
    read.push(part);
    expect(read.length).toBeLessThan(100);
    const next: string | undefined = /\[to continue: books_read with place (".*")\]$/.exec(part)?.[1];
    place = next && JSON.parse(next);
  }
  return read;
}

const listed = async (api: ApiClient, query = ''): Promise<Book[]> =>
  (await api.get(`/v1/books${query}`)).body.books;

describe('a shelf', () => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await startKernel();
  });
  afterAll(() => kernel.stop());

  test('[BT-2] [FILE-4] turns an attached file into a book that can be searched by text and read by location', async () => {
    const { api, client, upstream } = kernel;
    const chat = await newChat(client, { shelf: 'sea' });
    const file = await upload(api, WAVES, 'w.pdf');
    upstream.next(calls('u', 'books_upload', { file_id: file.id }), says('Done.'));
    const events = await client.say(chat.id, 'Put it on my shelf.', { files: [{ id: file.id }] });
    const [book] = await listed(api, '?shelf=sea');
    expect(eventsOf(events, 'tool_progress')[0]).toMatchObject({ id: 'u', output: 'page 1 of 3' });
    const line = `"Waves" by Ann (pdf, 3 pages), id ${book?.id}`;
    expect(eventsOf(events, 'tool_result')[0]?.output).toMatch(`Added to the shelf "sea": ${line}.`);
    const read = await outputs(kernel, chat.id, [
      ['books_search', { query: 'harbour' }],
      ['books_search', { query: 'harbour slee', limit: 1 }],
      ['books_search', { query: 'harbour', limit: 1 }],
      ['books_search', { query: 'nowhere' }],
      ['books_search', { query: '' }],
      ['books_read', { book_id: book!.id, place: 'page 2' }],
      ['books_read', { book_id: book!.id, place: 'page 4' }],
      ['books_read', { book_id: chat.id }],
    ]);
    expect(read).toEqual([
      `== "Waves", page 1 [book_id ${book?.id}]\nThe **harbour** at dawn.\n\n== "Waves", page 3 [book_id ${book?.id}]\nThe **harbour** sleeps.`,
      `== "Waves", page 3 [book_id ${book?.id}]\nThe **harbour** **sleeps**.`,
      expect.stringMatching(
        /page 1 .*\n\n\[more passages match: use a higher limit \(at most 50\) or more words/s,
      ),
      `No passage contains all of these words. Use fewer or other words.\nBooks of the shelf "sea":\n- ${line}`,
      `Books of the shelf "sea":\n- ${line}`,
      `${line}\n\n== page 2\nWaves break on the mole.\n\n== page 3\nThe harbour sleeps.`,
      `error: There is no place "page 4": "Waves" has 3 pages.\nBooks of the shelf "sea":\n- ${line}`,
      `error: There is no book ${chat.id} on the shelf "sea".\nBooks of the shelf "sea":\n- ${line}`,
    ]);
  });

  test('[BT-2] [CHAT-6] lists the books of the shelf in a chat, and stores the same bytes once per shelf', async () => {
    const { client } = kernel;
    const [one, two] = [await newChat(client, { shelf: 'one' }), await newChat(client, { shelf: 'two' })];
    const { id } = await shelve(kernel, one.id, WAVES, 'w.pdf');
    const again = await shelve(kernel, one.id, WAVES, 'other.pdf', { title: 'Other' });
    expect(again.output).toMatch(`The shelf "one" already has a book with the same content: "Waves"`);
    expect(again.id).toBe(id);
    const [found, read] = await outputs(kernel, two.id, [
      ['books_search', { query: 'harbour' }],
      ['books_read', { book_id: id }],
    ]);
    expect(found).toContain('The shelf "two" has no books yet');
    expect(read).toMatch(/^error: There is no book/);
    await client.patchChat(two.id, { shelf: 'one' });
    expect((await outputs(kernel, two.id, [['books_search', { query: 'mole' }]]))[0]).toContain('page 2');
  });

  test('[BT-2] [API-8] lists, renames, moves and deletes books over the API', async () => {
    const { api, client } = kernel;
    const [a, b] = [await newChat(client, { shelf: 'a' }), await newChat(client, { shelf: 'b' })];
    const watching = await client.watchAll();
    const waves = await shelve(kernel, a.id, WAVES, 'w.pdf');
    expect(await watching.until('books_changed')).toMatchObject({ shelf: 'a' });
    watching.hangUp();
    const text = await shelve(kernel, a.id, Buffer.from('text'), 't.txt');
    const twin = await shelve(kernel, b.id, WAVES, 'w.pdf');
    expect((await listed(api, '?shelf=a')).map(({ id }) => id)).toEqual([text.id, waves.id]);
    const page = (await api.get(`/v1/books?shelf=a&limit=1&before=${text.id}`)).body;
    expect(page).toMatchObject({ books: [{ id: waves.id }], next_before: waves.id });
    expect(page.books[0]).toEqual({
      id: waves.id,
      shelf: 'a',
      title: 'Waves',
      author: 'Ann',
      format: 'pdf',
      file_name: 'w.pdf',
      size: WAVES.length,
      unit: 'page',
      count: 3,
      chars: 63,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await api.get(`/v1/books/${waves.id}`)).body).toEqual(page.books[0]);
    const renamed = await api.patch(`/v1/books/${text.id}`, { title: ' Notes ', shelf: 'b' });
    expect(renamed.body).toMatchObject({ id: text.id, title: 'Notes', shelf: 'b' });
    const unknown = await api.patch(`/v1/books/${text.id}`, { colour: 'red' });
    expect([unknown.status, unknown.headers['x-ignored-fields']]).toEqual([200, '/colour']);
    expect(unknown.body).toEqual(renamed.body);
    expect((await api.patch(`/v1/books/${twin.id}`, { shelf: 'a' })).body).toMatchObject({
      status: 400,
      code: 'invalid_value',
      errors: [{ pointer: '/shelf' }],
    });
    expect((await api.delete(`/v1/books/${waves.id}`)).body).toEqual({ deleted: true, id: waves.id });
    for (const answer of [
      await api.delete(`/v1/books/${waves.id}`),
      await api.get(`/v1/books/${waves.id}`),
      await api.patch(`/v1/books/${waves.id}`, { title: 'x' }),
      await api.get('/v1/books/nothing'),
    ]) {
      expect(answer.body.code).toBe('not_found');
    }
    expect((await api.get('/v1/books?before=x')).body.code).toBe('malformed_cursor');
    expect((await api.get(`/v1/books?before=${waves.id}`)).body.code).toBe('unknown_cursor');
    expect((await outputs(kernel, a.id, [['books_search', { query: 'mole' }]]))[0]).toContain('no books yet');
  });
});

describe('reading', () => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await startKernel();
  });
  afterAll(() => kernel.stop());

  test('[BT-2] tells how to read on if the text exceeds one answer, to the end of the book', async () => {
    const { client } = kernel;
    const chat = await newChat(client, { shelf: 'long' });
    const paragraph = (chapter: number) =>
      Array.from(
        { length: 400 },
        (_, index) => `<p>Sentence ${chapter}.${index} of a long tale about the sea.</p>`,
      ).join('');
    const bytes = epubOf({ chapters: [paragraph(1), paragraph(2)], names: ['I. The Land', 'II. The "Sea"'] });
    const { output, id } = await shelve(kernel, chat.id, bytes, 'a.epub', { title: 'Tale' });
    expect(output).toContain('"Tale" by Ann Author (epub, 2 chapters)');
    const read = await readToEnd(kernel, chat.id, id);
    for (const part of read) expect(part.length).toBeLessThan(20_000);
    expect(read[0]).toMatch(/with place "chapter 1 \\"I\. The Land\\", part \d\/\d"\]$/);
    const all = read.join('');
    for (const sentence of ['1.0', '1.399', '2.0', '2.399']) {
      expect(all.split(`Sentence ${sentence} of`)).toHaveLength(2);
    }
    const [contents, heading, first] = await outputs(kernel, chat.id, [
      ['books_read', { book_id: id, place: 'contents' }],
      ['books_read', { book_id: id, place: 'the "sea' }],
      ['books_read', { book_id: id, place: 'chapters 1-1' }],
    ]);
    expect(contents).toMatch(/\n- chapter 1 "I\. The Land"\n- chapter 2 "II\. The "Sea""$/);
    expect(heading).toMatch(/^.*\n\n== chapter 2 "II\. The "Sea"", part 1/);
    expect(first).not.toContain('chapter 2');
  });

  test('[BT-2] reads text files by lines', async () => {
    const { client } = kernel;
    const chat = await newChat(client, { shelf: 'texts' });
    const text = Array.from({ length: 300 }, (_, index) => `This is line ${index + 1} of it.`).join('\n');
    const { id } = await shelve(kernel, chat.id, Buffer.from(text), 'my_notes.txt');
    const read = await outputs(kernel, chat.id, [
      ['books_read', { book_id: id, place: 'lines 7-8' }],
      ['books_search', { query: '"line 300"' }],
      ['books_read', { book_id: id, place: 'lines 9-8' }],
      ['books_read', { book_id: id, place: 'page 3' }],
    ]);
    expect(read[0]).toBe(
      `"my notes" (text, 300 lines), id ${id}\n\n== lines 7-8\nThis is line 7 of it.\nThis is line 8 of it.`,
    );
    expect(read[1]).toMatch(/^== "my notes", lines \d+-300, part 2\/2 /);
    for (const none of read.slice(2)) {
      expect(none).toMatch(/^error: There is no place ".*": "my notes" has 300 lines\./);
    }
  });

  test('[BT-2] reads long texts to their end, also within one line', async () => {
    const { client } = kernel;
    const chat = await newChat(client, { shelf: 'longer texts' });
    const words = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}${index}x`);
    const text = [...words('a', 9000), words('b', 9000).join(' '), ...words('c', 9000)].join('\n');
    const { id } = await shelve(kernel, chat.id, Buffer.from(text), 'long.txt');
    const [found = ''] = await outputs(kernel, chat.id, [['books_search', { query: 'b8000x' }]]);
    const foundAt = /^== "long", (.*) \[book_id/.exec(found)?.[1];
    const [there] = await outputs(kernel, chat.id, [['books_read', { book_id: id, place: foundAt }]]);
    expect(there).toContain('b8000x');
    const all = (await readToEnd(kernel, chat.id, id)).join(' ');
    for (const word of text.split(/\s/)) if (!all.includes(word)) expect.fail(`${word} was not read`);
  });

  test('[BT-2] keeps the answer short for pages without text', async () => {
    const chat = await newChat(kernel.client, { shelf: 'scans' });
    const scan = pdfOf(['Cover.', ...Array.from({ length: 900 }, () => ''), 'The end.']);
    const { id } = await shelve(kernel, chat.id, scan, 'scan.pdf');
    const read = await readToEnd(kernel, chat.id, id);
    for (const part of read) expect(part.length).toBeLessThan(20_000);
    expect(read.length).toBeGreaterThan(1);
    expect(read.at(-1)).toContain('The end.');
  });
});

test("[BT-2] reads a path on the kernel's machine if the call works there", async () => {
  const kernel = await kernelOf();
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'notes.md'), '# One\ntext\n# Two\nmore');
  const chat = await newChat(kernel.client, { workdir, workdir_on: 'server' });
  const read = await outputs(kernel, chat.id, [
    ['books_upload', { path: 'notes.md' }],
    ['books_upload', { path: 'none.md' }],
    ['books_upload', { path: workdir }],
    ['books_upload', {}],
    ['books_upload', { file_id: chat.id }],
  ]);
  expect(read).toEqual([
    expect.stringMatching(/^Added to the shelf "main": "One" \(markdown, 2 sections\), id /),
    'error: There is no file none.md.',
    `error: ${workdir} is a directory. Give the path of a file.`,
    'error: Give either path or file_id.',
    `error: There is no uploaded file ${chat.id}.`,
  ]);
});

test('[BT-2] [OP-2] reads the bytes of a path from the client if the call works there', async () => {
  const { client, upstream } = await kernelOf();
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'w.pdf'), WAVES);
  // More than one operation returns.
  writeFileSync(join(workdir, 'long.txt'), 'A line of a long text.\n'.repeat(200_000));
  const chat = await newChat(client, { workdir });
  const hands = new Terminal(client, { directory: workdir });
  const made = [{ path: 'w.pdf' }, { path: 'long.txt' }, { path: 'none.pdf' }];
  upstream.next(...made.map((input, index) => calls(`c${index}`, 'books_upload', input)), says('Done.'));
  const results = eventsOf(await hands.turn(chat.id, { text: 'Go.' }), 'tool_result');
  expect(results.map(({ is_error }) => is_error)).toEqual([false, false, true]);
  expect(results[1]?.output).toContain('(text, 200000 lines)');
  expect(hands.done.map(({ action, params }) => [action, params.path, params.offset])).toEqual([
    ['read_bytes', join(workdir, 'w.pdf'), 0],
    ['read_bytes', join(workdir, 'long.txt'), 0],
    ['read_bytes', join(workdir, 'long.txt'), 4 * 1024 * 1024],
    ['read_bytes', join(workdir, 'none.pdf'), 0],
  ]);
});

test('[BT-2] keeps other chats responsive during a slow client read, and stores no partial book', async () => {
  const kernel = await kernelOf();
  const { api, client, upstream } = kernel;
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'w.pdf'), WAVES);
  const slow = await newChat(client, { workdir, workdir_on: 'client' });
  upstream.next(calls('s', 'books_upload', { path: 'half.txt' }));
  const stream = await client.begin(slow.id, { text: 'Go.', client_ops: true });
  const askedFrom = (offset: number) =>
    stream.until(event => event.type === 'client_op' && event.offset === offset) as Promise<
      EventOf<'client_op'>
    >;
  const answerNext = async (data: string, offset: number) => {
    const { id } = await askedFrom(offset);
    const answer = { id, result: { total: 10, data: Buffer.from(data).toString('base64') } };
    expect((await api.post(`/v1/chats/${slow.id}/ops/result`, answer)).status).toBe(200);
  };
  await answerNext('half', 0);
  await askedFrom(4);
  const other = await newChat(client, { workdir, workdir_on: 'server' });
  const [output] = await outputs(kernel, other.id, [['books_upload', { path: 'w.pdf' }]]);
  expect(output).toContain('Added to the shelf');
  upstream.next(says('Done.'));
  await answerNext('', 4);
  const [result] = eventsOf(await stream.all(), 'tool_result');
  expect(result).toMatchObject({
    is_error: true,
    output: 'The client sent 4 of the 10 bytes of half.txt.',
  });
  expect(await listed(api)).toHaveLength(1);
});

test('[BT-2] [BT-11] [TURN-8] offers the tools after load_tools, and never to guests [WHO-2, WHO-3]', async () => {
  const { client, upstream } = await kernelOf();
  const chat = await client.createChat();
  upstream.next(calls('l', 'load_tools', { group: 'books' }), says('Done.'));
  await client.say(chat.id, 'Go.');
  const offered = (at: number): string[] =>
    // biome-ignore lint/suspicious/noExplicitAny: the raw shape of the provider API
    upstream.requests.at(at)?.body.tools.map((tool: any) => tool.function.name);
  expect(offered(-2).filter(name => name.startsWith('books'))).toEqual([]);
  expect(offered(-1)).toEqual(expect.arrayContaining(['books_read', 'books_search', 'books_upload']));
  await client.say(chat.id, 'Hi.', { guest: true });
  expect(offered(-1).filter(name => name.startsWith('books'))).toEqual([]);
});

test('[BT-2] [TURN-10] a cancel stops the parsing of a book, and removes its data', PATIENT, async () => {
  const { api, client, upstream } = await kernelOf();
  const workdir = directoryOfTest();
  const pages = Array.from({ length: 3000 }, (_, page) => `Page ${page} of many.`);
  writeFileSync(join(workdir, 'long.pdf'), pdfOf(pages));
  const chat = await newChat(client, { workdir, workdir_on: 'server' });
  upstream.next(calls('u', 'books_upload', { path: 'long.pdf' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  expect((await stream.until('tool_progress')).output).toMatch(/^page \d+ of 3000$/);
  await client.cancelTurn(chat.id);
  await stream.all();
  expect(await listed(api)).toEqual([]);
  // The user may upload a removed book again.
  const [output] = await outputs({ client, upstream }, chat.id, [['books_upload', { path: 'long.pdf' }]]);
  expect(output).toContain('(pdf, 3000 pages)');
});

test('[BT-2] keeps books over a restart, and removes a book whose upload was killed', async () => {
  const dataDir = directoryOfTest();
  const workdir = directoryOfTest();
  const pages = Array.from({ length: 3000 }, (_, page) => `Page ${page} of many.`);
  writeFileSync(join(workdir, 'long.pdf'), pdfOf(pages));
  writeFileSync(join(workdir, 'w.pdf'), WAVES);
  copyFileSync(join(workdir, 'w.pdf'), join(workdir, 'same.pdf'));
  const first = await startKernelProcess({ dataDir });
  const chat = await newChat(first.client, { workdir, workdir_on: 'server' });
  await outputs(first, chat.id, [['books_upload', { path: 'w.pdf' }]]);
  first.upstream.next(calls('u', 'books_upload', { path: 'long.pdf' }));
  const stream = await first.client.begin(chat.id, { text: 'Go.' });
  stream.closed().catch(() => {});
  await stream.until('tool_progress');
  const { output } = await stream.until('tool_progress');
  expect(output).toMatch(/^page \d+ of 3000$/);
  await first.kill();
  const kernel = await kernelOf({ dataDir });
  expect((await listed(kernel.api)).map(({ title }) => title)).toEqual(['Waves']);
  const read = await outputs(kernel, chat.id, [
    ['books_search', { query: 'many' }],
    ['books_search', { query: 'mole' }],
    ['books_upload', { path: 'same.pdf' }],
  ]);
  expect(read[0]).toMatch(/^No passage/);
  expect(read[1]).toContain('page 2');
  expect(read[2]).toContain('already has a book');
});
