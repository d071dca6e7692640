/** How `chat-kernel import` sends conversations: in order, to a kernel or into the data, and what it counts. */
import { existsSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import v8 from 'node:v8';
import type { ImportedChat } from '@chat-kernel/protocol';
import { Settings } from '@chat-kernel/protocol';
import { beforeEach, expect, it, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { chatGpt, claude } from '../../../test/harness/foreign-exports.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { OrderedPool } from '../src/importing/ordered-pool.ts';
import { ImportTally } from '../src/importing/tally.ts';
import { intoStore, Refused } from '../src/importing/target.ts';
import { runAsKernel } from './as-kernel.ts';
import { listen } from './listen.ts';
import { runInProcess } from './run-in-process.ts';

let home: string;
beforeEach(() => {
  home = directoryOfTest();
});

/** A pool whose work ends with `release`. */
function pool(count: number, size: number) {
  const tasks = new OrderedPool({ count, size });
  const started: string[] = [];
  const ended: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const begin = (name: string, bytes: number) =>
    tasks.begin(bytes, async () => {
      started.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
      return () => void ended.push(name);
    });
  /** Resolves when everything that can happen without another event has happened. */
  const release = async (...names: string[]) => {
    for (const name of names) gates.get(name)!.resolve();
    await new Promise(setImmediate);
  };
  return { tasks, begin, release, gates, started, ended };
}

it('bounds concurrent work by count and size, and completes it in order', async () => {
  const { tasks, begin, release, started, ended } = pool(2, 10);
  await begin('a', 4);
  await begin('b', 6);
  const third = begin('c', 0);
  await release('b');
  expect([started, ended]).toEqual([['a', 'b'], []]);
  await release('a');
  await third;
  expect([started, ended]).toEqual([['a', 'b', 'c'], ['a']]);
  // A single task may be larger than all may be together.
  const fourth = begin('d', 11);
  await release('c');
  await fourth;
  const fifth = begin('e', 0);
  await release('d');
  await fifth;
  const end = tasks.end();
  await release('e');
  await end;
  // All room is free again.
  await begin('f', 5);
  void begin('g', 5);
  await release();
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(ended).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('throws the error of the oldest work, and waits for the rest without throwing', async () => {
  const { tasks, begin, release, gates, ended } = pool(3, 10);
  for (const name of ['a', 'b', 'c']) await begin(name, 1);
  gates.get('b')!.reject(new Error('b failed'));
  await release('a');
  await expect(tasks.end()).rejects.toThrow('b failed');
  gates.get('c')!.reject(new Error('c failed'));
  await tasks.settled();
  await tasks.end();
  expect(ended).toEqual(['a']);
});

it('summarizes all outcomes', () => {
  const tally = new ImportTally();
  const message = { role: 'user', content: 'x' };
  const chat = (messages: number, branches?: number[], leftOut: [string, number][] = []) => ({
    chat: {
      messages: Array(messages).fill(message),
      ...(branches && { branches: branches.map(length => ({ messages: Array(length).fill(message) })) }),
    },
    leftOut: new Map(leftOut),
  });
  const count = (facts: ReturnType<typeof chat>, imported: Partial<ImportedChat>) =>
    tally.count(facts as never, imported as ImportedChat);
  expect(tally.words(false)).toBe(
    '0 of 0 conversations imported: 0 chats, 0 of them forks, with 0 messages.\n',
  );
  count(chat(1200), { status: 'created' });
  count(chat(2, [3, 4], [['picture', 2]]), { status: 'created' });
  count(
    chat(
      0,
      [],
      [
        ['picture', 1],
        ['file', 1],
      ],
    ),
    { status: 'created' },
  );
  for (const times of [3, 2]) count(chat(9), { status: 'grown', appended: times });
  count(chat(9), { status: 'grown' });
  for (let n = 0; n < 4; n++) count(chat(9), { status: 'known' });
  count(chat(9), { status: 'changed' });
  for (let n = 0; n < 2; n++) count(chat(9), { status: 'changed', reason: 'chat_changed' });
  for (let n = 0; n < 3; n++) count(chat(9), { status: 'changed', reason: 'busy' });
  for (let n = 0; n < 5; n++) tally.countEmpty();
  for (let n = 0; n < 6; n++) tally.countFailed();
  const lines = (
    would: string,
    have: string,
  ) => `3 of 27 conversations ${would}: 5 chats, 2 of them forks, with 1,209 messages.
4 already imported.
3 already imported, and ${have} their new messages: 5.
2 have new messages, but were not updated because their chats were changed here. To import such a chat again, delete it first.
1 changed before their end and were not updated. To import such a chat again, delete it first.
3 have new messages, but their chats are busy. Import them again later.
5 empty.
6 not imported; see above.
Replaced by a note: 1 x file, 3 x picture.
`;
  expect(tally.words(false)).toBe(lines('imported', 'got'));
  expect(tally.words(true)).toBe(lines('would be imported', 'would get'));
  expect([tally.seen, tally.failed]).toEqual([27, 6]);
  const other = new ImportTally();
  other.count(chat(1, [], [['file', 1]]) as never, { status: 'created' } as ImportedChat);
  expect(other.words(false)).toContain('\nReplaced by a note: 1 x file.\n');
});

const ask = { role: 'user', at: 1, content: 'Hello.', parent: null };
/** Writes conversations, and returns their file. */
const written = (...conversations: unknown[]) => {
  const file = join(home, 'conversations.json');
  writeFileSync(file, JSON.stringify(conversations));
  return file;
};
const run = (words: string[], env?: Record<string, string>) =>
  runInProcess(['import', ...words], home, { ...(env && { env }) });
const ONE = '1 of 1 conversations imported: 1 chats, 0 of them forks, with 1 messages.\n';

it('writes into the data if no kernel runs, and says where', async () => {
  const file = written(chatGpt('first', { ask }), claude('second', '', []));
  const data = join(home, 'data');
  const words = [file, '--data', data];
  const where = `Importing into the data in ${data}.\n`;
  const empty = `${ONE.replace('of 1', 'of 2')}1 empty.\n`;
  expect(await run([...words, '--dry-run', '--shelf', 'old'])).toEqual({
    out: empty.replace('imported', 'would be imported'),
    err: `${where}conversations: 2\n`,
    code: 0,
  });
  expect(await run([...words, '-q', '--port', '0'], { CHAT_KERNEL_NO_SUCH: '1' })).toEqual({
    out: empty,
    err: expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n$/),
    code: 0,
  });
  expect((await run(words)).out).toMatch(/^0 of 2 .*\n1 already imported\.\n1 empty\.\n$/);
});

it('rejects an invalid conversation like a kernel, and reports an unusable store', async () => {
  const data_dir = join(home, 'data');
  const target = await intoStore(Settings.parse({ data_dir }));
  const refused = await target.add({} as never, true).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect((refused as Error).message).toMatch(/^The body is invalid\. source: /);
  const at = '2026-01-02T03:04:05.678Z';
  const chat = {
    source: 'x',
    key: 'x',
    title: 'x',
    created_at: at,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }], created_at: at }],
  };
  await target.close();
  const failed = await target.add(chat as never, false).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed).not.toBeInstanceOf(Refused);
});

it('names the first hundred conversations that fail, and counts the others', async () => {
  const late = { sender: 'human', text: 'x', created_at: 'yesterday' };
  const file = written(chatGpt('x', { ask }), {}, claude('late', 'a\u001b', [late]), ...Array(98).fill({}));
  const { out, err, code } = await run([file, '--data', 'data']);
  const lines = err.trimEnd().split('\n');
  const reason = 'it has neither a mapping, as ChatGPT writes, nor chat_messages, as Claude does';
  expect(lines.slice(1, 5)).toEqual([
    'conversations: 1',
    `conversation 2: ${reason}`,
    'conversations: 2',
    'conversation 3 ("a\\u001b"): created_at of message 0 is no time',
  ]);
  expect([lines.length, lines.at(-2)]).toEqual([202, `conversation 101: ${reason}`]);
  expect(lines.at(-1)).toBe('conversations: 101');
  expect(out).toContain('\n100 not imported; see above.\n');
  expect(code).toBe(2);
  written(...Array(101).fill({}));
  const more = await run([file, '--data', 'data', '-q']);
  expect(more.err.split('\n').slice(99)).toEqual([
    `conversation 100: ${reason}`,
    'More conversations failed. They are only counted.',
    '',
  ]);
});

it('rejects a file without conversations, and an invalid shelf', async () => {
  expect(await run(['gone'])).toEqual({
    out: '',
    err: 'chat-kernel: gone: there is no such file\n',
    code: 1,
  });
  expect(await run(['gone', '--shelf', ''])).toEqual({
    out: '',
    err: 'chat-kernel: --shelf must be a name of 1 to 200 characters.\n',
    code: 1,
  });
  expect(existsSync(join(home, '.local'))).toBe(false);
});

it('sends to the running kernel of the data', async () => {
  const data = join(home, 'data');
  const kernel = await kernelOf();
  const file = written(chatGpt('running', { ask }));
  await run([file, '--data', data, '--dry-run']);
  runAsKernel(data);
  expect(await run([file, '--data', data])).toEqual({
    out: '',
    err: 'chat-kernel: The kernel is starting. Try again in a moment.\n',
    code: 1,
  });
  runAsKernel(data, { url: kernel.url });
  const where = `Importing into the kernel at ${kernel.url}.\n`;
  const titles = async () => (await kernel.api.get('/v1/chats')).body.chats;
  expect((await run([file, '--data', data, '--dry-run'])).err).toContain(where);
  expect(await titles()).toEqual([]);
  // The variable names another kernel, the flag names the data.
  expect(
    await run([file, '--data', data, '--shelf', 'old'], { CHAT_KERNEL_URL: 'http://127.0.0.1:1' }),
  ).toEqual({
    out: ONE,
    err: `${where}conversations: 1\n`,
    code: 0,
  });
  expect(await titles()).toMatchObject([{ title: 'running', shelf: 'old' }]);
});

/** A server that answers each import in this way, and its requests. */
async function importServer(answer: (response: ServerResponse) => unknown) {
  const seen: unknown[] = [];
  const sockets = new Set<Socket>();
  const url = await listen(async (request, response) => {
    sockets.add(request.socket);
    const { title } = JSON.parse(await text(request));
    seen.push([request.method, request.url, request.headers['x-service-token'], title]);
    answer(response);
  });
  return { url, seen, sockets };
}

it('sends to the named kernel and never to others, with the token', async () => {
  const { url, seen } = await importServer(response =>
    response.setHeader('content-type', 'application/json').end('{"status":"created"}'),
  );
  const { port } = new URL(url);
  const file = written(chatGpt('named', { ask }));
  const env = { CHAT_KERNEL_URL: `${url}/`, CHAT_KERNEL_TOKEN: 'variable' };
  for (const [words, variables] of [
    [['--url', `${url}//`, '--token', 'flag'], {}],
    [['--port', port], {}],
    [['--host', '127.0.0.1', '--port', '0', '--url', url], {}],
    [['--host', '127.0.0.1', '--set', `server.port=${port}`], {}],
    [['--dry-run'], env],
  ] as const) {
    const { err, code } = await run([file, ...words], variables);
    expect([err.split('\n')[0], code]).toEqual([`Importing into the kernel at ${url}.`, 0]);
  }
  const [path, preview] = ['/v1/import', '/v1/import?dry_run=true'];
  expect(seen).toEqual([
    ['POST', path, 'flag', 'named'],
    ['POST', path, undefined, 'named'],
    ['POST', path, undefined, 'named'],
    ['POST', path, undefined, 'named'],
    ['POST', preview, 'variable', 'named'],
  ]);
  const data = join(home, 'data');
  runAsKernel(home, { url });
  for (const [words, token] of [
    [['--token', 'flag'], 'flag'],
    [[], 'variable'],
  ] as const) {
    await run([file, '--data', home, ...words], { CHAT_KERNEL_TOKEN: 'variable' });
    expect(seen.at(-1)).toEqual(['POST', path, token, 'named']);
  }
  expect(existsSync(data)).toBe(false);
});

it('sends 32 conversations at a time if they have at most 4 MiB together, and collects garbage early', async () => {
  const setFlags = vi.spyOn(v8, 'setFlagsFromString');
  syncBuiltinESMExports();
  let held: ServerResponse[] = [];
  const { url, sockets } = await importServer(response => held.push(response));
  const release = () => {
    for (const response of held) response.end('{"status":"created"}');
    held = [];
  };
  const send = (count: number, content: string) => {
    const conversations = Array.from({ length: count }, (_, n) =>
      chatGpt(`${n}`, { ask: { ...ask, content } }),
    );
    return run([written(...conversations), '--url', url, '-q']);
  };
  const small = send(33, 'x');
  await expect.poll(() => held.length).toBe(32);
  release();
  await expect.poll(() => held.length).toBe(1);
  release();
  await small;
  expect(sockets.size).toBe(32);
  const large = send(2, 'x'.repeat(2.2 * 1024 ** 2));
  await expect.poll(() => held.length).toBe(1);
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(held).toHaveLength(1);
  release();
  await expect.poll(() => held.length).toBe(1);
  release();
  expect((await large).code).toBe(0);
  expect(setFlags).toHaveBeenCalledWith('--heap-growing-percent=40');
  setFlags.mockRestore();
  syncBuiltinESMExports();
});

it.each([
  [422, '{"code":"invalid_value","detail":"No."}', 2, 'conversation 1 ("x"): No.'],
  [422, '{"code":"schema_mismatch","detail":"No."}', 2, 'conversation 1 ("x"): No.'],
  [400, '{"code":"not_json","detail":"No."}', 2, 'conversation 1 ("x"): No.'],
  [413, '{"code":"body_too_large","detail":"No."}', 2, 'conversation 1 ("x"): No.'],
  [
    503,
    '{"code":"shutting_down","detail":"Soon."}',
    1,
    'chat-kernel: The kernel at URL rejected the request: Soon.',
  ],
  [502, '<html>', 1, 'chat-kernel: The kernel at URL rejected the request: it answered with status 502'],
])('answers to an import with %i %s', async (status, body, code, sentence) => {
  const { url } = await importServer(response => response.writeHead(status).end(body));
  const ended = await run([written(chatGpt('x', { ask })), '--url', url]);
  expect(ended).toMatchObject({ code, err: expect.stringContaining(`\n${sentence.replace('URL', url)}\n`) });
  expect(ended.out).toBe(
    code === 1
      ? ''
      : `${ONE.replace('1 of', '0 of').replace(' 1 chats', ' 0 chats').replace('1 messages', '0 messages')}1 not imported; see above.\n`,
  );
});

it('stops if the kernel does not answer, counts what it has sent, and waits for its requests', async () => {
  const file = written(chatGpt('x', { ask }));
  const address = `127.0.0.1:${await freePort()}`;
  for (const url of [`http://${address}`, `https://${address}`]) {
    const gone = await run([file, '--url', url]);
    expect(gone).toMatchObject({ out: '', code: 1 });
    expect(gone.err).toContain(
      `The kernel at ${url} does not answer (connect ECONNREFUSED ${address}). Run this`,
    );
  }
  const events: string[] = [];
  const { url } = await importServer(response => {
    events.push('request');
    if (events.length === 1) response.end('{"status":"created"}');
    else if (events.length === 2) response.destroy();
    else {
      response.on('close', () => events.push('answer'));
      setTimeout(() => response.end('{}'), 50);
    }
  });
  written(...['x', 'y', 'z'].map(title => chatGpt(title, { ask })));
  const broken = await run([file, '--url', url]);
  events.push('end');
  expect(broken).toMatchObject({ out: ONE, code: 1 });
  expect(broken.err).toBe(
    `Importing into the kernel at ${url}.\nconversations: 1\nchat-kernel: The kernel at ${url} does not answer (socket hang up). ` +
      'Run this command again when it does. Conversations are not imported twice.\n',
  );
  expect(events).toEqual(['request', 'request', 'request', 'answer', 'end']);
});
