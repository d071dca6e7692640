/**
 * Tests undo of file edits on the kernel's own machine: what is stored, what a rewind with files shows and does, and
 * what it refuses.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

type Call = [name: string, input: Record<string, unknown>];

const dataDir = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: dataDir.path, settings: { tools: { shell: { sandbox: 'none' } } } });
});
afterAll(async () => {
  await kernel.stop();
  dataDir.remove();
});

let count = 0;
/** Runs a turn in which the model makes these calls, one in each step; returns the id of its message. */
async function turn(chatId: string, made: readonly Call[], { client, upstream } = kernel): Promise<string> {
  upstream.next(...made.map(([name, input]) => calls(`u${count++}`, name, input)), says('Done.'));
  const stream = await client.begin(chatId, { text: 'Go.' });
  await stream.all();
  return stream.messageId;
}

const write = (path: string, content: string): Call => ['write_file', { path, content }];
const edit = (path: string, old: string, text: string): Call => ['edit_file', { path, old, new: text }];

async function newChat({ client } = kernel) {
  const workdir = directoryOfTest();
  const { id } = await client.createChat({ workdir, workdir_on: 'server' });
  const at = (name: string) => join(workdir, name);
  return {
    id,
    workdir,
    at,
    text: (name: string) => readFileSync(at(name), 'utf8'),
    put: (name: string, content: string | Uint8Array) => writeFileSync(at(name), content),
    preview: (message: string) => client.rewindFiles(id, message, { files: 'preview' }),
    restore: (message: string) => client.rewindFiles(id, message, { files: 'restore' }),
    messages: async () => (await client.listMessages(id)).messages.length,
  };
}

describe('[UNDO-1] [UNDO-2] a rewind with files', () => {
  test('[MSG-3] previews without changes, then restores old files and deletes new ones', async () => {
    const chat = await newChat();
    chat.put('a.txt', 'first\n');
    chmodSync(chat.at('a.txt'), 0o750);
    const message = await turn(chat.id, [
      write('a.txt', 'second\n'),
      edit('a.txt', 'second', 'third'),
      write('new/b.txt', 'b'),
      ['shell', { commands: ['touch c.txt'] }],
    ]);
    const not_undone = [{ tool: 'shell', summary: '{"commands":["touch c.txt"]}' }];
    const files = [
      { path: chat.at('a.txt'), action: 'restore', changed_since: false, machine: 'server' },
      { path: chat.at('new/b.txt'), action: 'delete', changed_since: false, machine: 'server' },
    ];
    expect(await chat.preview(message)).toEqual({ files, not_undone });
    expect(chat.text('a.txt')).toBe('third\n');
    expect(await chat.messages()).toBeGreaterThan(2);

    const before = await chat.messages();
    expect(await chat.restore(message)).toEqual({
      files,
      not_undone,
      deleted: before,
      first_deleted: message,
      version_id: message,
    });
    expect(chat.text('a.txt')).toBe('first\n');
    expect(statSync(chat.at('a.txt')).mode & 0o777).toBe(0o750);
    expect(existsSync(chat.at('new/b.txt'))).toBe(false);
    expect(existsSync(chat.at('c.txt'))).toBe(true);
    expect(await chat.messages()).toBe(0);
    expect(readdirSync(chat.workdir).sort()).toEqual(['a.txt', 'c.txt', 'new']);
  });

  test('rejects the rewind if the user has changed a file since, and names it', async () => {
    const chat = await newChat();
    const message = await turn(chat.id, [write('mine.txt', 'model'), write('other.txt', 'model')]);
    chat.put('mine.txt', 'owner');
    expect((await chat.preview(message)).files).toMatchObject([
      { path: chat.at('mine.txt'), action: 'delete', changed_since: true },
      { path: chat.at('other.txt'), action: 'delete', changed_since: false },
    ]);
    const path = `/v1/chats/${chat.id}/messages/${message}/rewind`;
    const { status, body } = await kernel.api.post(path, { files: 'restore' });
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 409,
      code: 'files_changed',
      detail: `Changed after the chat wrote them: ${chat.at('mine.txt')}. Nothing was restored and nothing rewound.`,
    });
    expect(body.files).toHaveLength(2);
    expect([chat.text('mine.txt'), chat.text('other.txt')]).toEqual(['owner', 'model']);
    expect(await chat.messages()).toBeGreaterThan(0);
    // A deleted file counts as changed.
    rmSync(chat.at('mine.txt'));
    rmSync(chat.at('other.txt'));
    expect((await chat.preview(message)).files.map(({ action }) => action)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  test('restores the earliest state of several turns, and rejects files that changed between them', async () => {
    const chat = await newChat();
    chat.put('a.txt', '0');
    const first = await turn(chat.id, [write('a.txt', '1'), write('a.txt', '2')]);
    const second = await turn(chat.id, [write('a.txt', '3')]);
    await chat.restore(second);
    expect(chat.text('a.txt')).toBe('2');
    chat.put('a.txt', 'between');
    const third = await turn(chat.id, [write('a.txt', '4')]);
    expect((await chat.preview(first)).files).toMatchObject([{ changed_since: true }]);
    await chat.restore(third);
    expect(chat.text('a.txt')).toBe('between');
    chat.put('a.txt', '2');
    await chat.restore(first);
    expect(chat.text('a.txt')).toBe('0');
  });

  test('reverts the edits of the deleted calls in a rewind into the middle of a turn', async () => {
    const chat = await newChat();
    const message = await turn(chat.id, [write('a.txt', '1'), write('a.txt', '2'), write('b.txt', 'b')]);
    const { messages } = await kernel.client.listMessages(chat.id);
    const second = messages.filter(({ role }) => role === 'assistant')[1]!;
    expect((await chat.restore(second.id)).files.map(({ action }) => action)).toEqual(['restore', 'delete']);
    expect(chat.text('a.txt')).toBe('1');
    await chat.restore(message);
    expect(existsSync(chat.at('a.txt'))).toBe(false);
  });

  test('preserves exact bytes, and names a file that was too large to store', async () => {
    const chat = await newChat();
    const bytes = Buffer.from([0, 255, 13, 10, 1, 254, 13, 10]);
    chat.put('.gitattributes', '* text=auto eol=lf\n*.txt filter=evil\n');
    chat.put('binary.txt', bytes);
    chat.put('large', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
    const message = await turn(chat.id, [write('binary.txt', 'text'), write('large', 'small')]);
    const { files, not_undone } = await chat.restore(message);
    expect(files).toMatchObject([
      { path: chat.at('binary.txt'), action: 'restore' },
      {
        path: chat.at('large'),
        action: 'not_kept',
        changed_since: false,
        error: 'It had 10485761 bytes before; at most 10485760 are kept.',
      },
    ]);
    expect(not_undone).toEqual([{ tool: 'write_file', summary: '{"path":"large","content":"small"}' }]);
    expect(readFileSync(chat.at('binary.txt')).equals(bytes)).toBe(true);
    expect(chat.text('large')).toBe('small');
  });

  test('assigns files of a sub-agent to the call that started it', async () => {
    const chat = await newChat();
    const { client, upstream } = kernel;
    upstream.next(
      calls('lead', 'agent', { agents: [{ name: 'helper', task: 'Write.' }] }),
      calls('inner', ...write('sub.txt', 'sub')),
      says('Written.'),
      says('Done.'),
    );
    const stream = await client.begin(chat.id, { text: 'Go.' });
    await stream.all();
    expect(chat.text('sub.txt')).toBe('sub');
    const { files, not_undone } = await chat.restore(stream.messageId);
    expect(files).toMatchObject([{ path: chat.at('sub.txt'), action: 'delete' }]);
    expect(not_undone).toMatchObject([{ tool: 'agent' }]);
    expect(existsSync(chat.at('sub.txt'))).toBe(false);
  });

  test('[WHO-7] follows no link outside the writable folders', async () => {
    const chat = await newChat();
    const outside = directoryOfTest();
    writeFileSync(join(outside, 'a.txt'), 'model');
    mkdirSync(chat.at('sub'));
    chat.put('sub/a.txt', 'before');
    chat.put('b.txt', 'before');
    const message = await turn(chat.id, [write('sub/a.txt', 'model'), write('b.txt', 'model')]);
    // A parent directory and the file itself have become links to files that look the same.
    renameSync(chat.at('sub'), chat.at('moved'));
    symlinkSync(outside, chat.at('sub'));
    writeFileSync(join(outside, 'b.txt'), 'model');
    rmSync(chat.at('b.txt'));
    symlinkSync(join(outside, 'b.txt'), chat.at('b.txt'));
    const { status, body } = await kernel.api.post(`/v1/chats/${chat.id}/messages/${message}/rewind`, {
      files: 'restore',
    });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'files_stuck' });
    expect(body.detail).toContain(`${chat.at('sub/a.txt')} is now a different file.`);
    for (const name of ['a.txt', 'b.txt']) expect(readFileSync(join(outside, name), 'utf8')).toBe('model');
    expect(lstatSync(chat.at('b.txt')).isSymbolicLink()).toBe(true);
  });

  test('[WHO-7] restores files that sandboxed tools have written, and nothing outside', async () => {
    const own = await startKernel({ settings: { tools: { shell: { sandbox: 'bwrap' } } } }).catch(error => {
      // Some systems do not allow bubblewrap.
      expect(String(error)).toMatch(/tools\.shell\.sandbox: bubblewrap /);
    });
    if (own === undefined) return;
    onTestFinished(() => own.stop());
    const chat = await newChat(own);
    chat.put('a.txt', 'before');
    const message = await turn(
      chat.id,
      [
        write('a.txt', 'after'),
        ['shell', { commands: ['cat a.txt > seen; echo more >> a.txt'] }],
        edit('a.txt', 'more', 'less'),
        write('new/b.txt', 'b'),
      ],
      own,
    );
    expect([chat.text('seen'), chat.text('a.txt')]).toEqual(['after', 'afterless\n']);
    const files = [
      { path: chat.at('a.txt'), action: 'restore', changed_since: false, machine: 'server' },
      { path: chat.at('new/b.txt'), action: 'delete', changed_since: false, machine: 'server' },
    ];
    expect((await chat.preview(message)).files).toEqual(files);
    expect((await chat.restore(message)).files).toEqual(files);
    expect([chat.text('a.txt'), existsSync(chat.at('new/b.txt'))]).toEqual(['before', false]);

    // Undo does not restore what sandboxed tools may no longer write.
    chat.put('c.txt', 'before');
    const last = await turn(chat.id, [write('c.txt', 'after')], own);
    await own.client.setWorkdir(chat.id, { workdir: directoryOfTest(), workdir_on: 'server' });
    const path = `/v1/chats/${chat.id}/messages/${last}/rewind`;
    const { status, body } = await own.api.post(path, { files: 'restore' });
    expect([status, body.code, chat.text('c.txt')]).toEqual([409, 'files_stuck', 'after']);
    expect(body.detail).toContain(chat.at('c.txt'));
  });

  test('[MSG-3] [TURN-9] is rejected while a turn runs, and with an unknown value of files', async () => {
    const chat = await newChat();
    const { api, client, upstream } = kernel;
    upstream.next(calls('s', 'shell', { commands: ['until [ -e go ]; do sleep 0.02; done'] }), says('Done.'));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    await stream.until('tool_call');
    const path = `/v1/chats/${chat.id}/messages/${stream.messageId}/rewind`;
    expect((await api.post(path, { files: 'preview' })).body.code).toBe('turn_running');
    chat.put('go', '');
    await stream.all();
    expect((await api.post(path, { files: 'all' })).body.code).toBe('schema_mismatch');
    expect((await api.post(`${path}?files=all`)).body.code).toBe('invalid_value');
  });
});

describe('[UNDO-1] undo data', () => {
  const undoOf = (data: string) => join(realpathSync(data), 'undo');

  test('[CHAT-5] is deleted with the chat', async () => {
    const chat = await newChat();
    await turn(chat.id, [write('a.txt', '1')]);
    const kept = () => readdirSync(undoOf(dataDir.path)).filter(name => name.includes(chat.id));
    expect(kept().sort()).toEqual([`${chat.id}.git`, `${chat.id}.jsonl`]);
    await kernel.client.deleteChat(chat.id);
    expect(kept()).toEqual([]);
  });

  test('is not stored if the settings disable it, and edits work', async () => {
    const data = directoryOfTest();
    const own = await kernelOf({ dataDir: data, settings: { tools: { undo: false } } });
    const chat = await newChat(own);
    const message = await turn(chat.id, [write('a.txt', '1')], own);
    expect(chat.text('a.txt')).toBe('1');
    expect((await chat.preview(message)).files).toMatchObject([{ action: 'not_kept' }]);
  });

  test('is not stored without git, and edits work', async () => {
    const chat = await newChat();
    const path = process.env.PATH;
    process.env.PATH = chat.workdir;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    const message = await turn(chat.id, [write('a.txt', '1')]);
    process.env.PATH = path;
    expect(chat.text('a.txt')).toBe('1');
    const { files, not_undone } = await chat.restore(message);
    expect(files).toMatchObject([
      { action: 'not_kept', error: 'This machine has not stored an edit of this file.' },
    ]);
    expect(not_undone).toMatchObject([{ tool: 'write_file' }]);
    expect(chat.text('a.txt')).toBe('1');
  });

  test("is on disk when the kernel is killed, and ignores the user's git configuration", async () => {
    const data = directoryOfTest();
    const environment = { GIT_DIR: '/nowhere', GIT_CONFIG_GLOBAL: '/nowhere' };
    const settings = { tools: { shell: { sandbox: 'none' } } } as const;
    const killed = await startKernelProcess({ dataDir: data, settings, environment });
    const workdir = directoryOfTest();
    const at = (name: string) => join(workdir, name);
    writeFileSync(at('a.txt'), 'before');
    const { id } = await killed.client.createChat({ workdir, workdir_on: 'server' });
    killed.upstream.next(
      calls('w', ...write('a.txt', 'after')),
      calls('s', 'shell', { commands: ['touch there; sleep 600'] }),
    );
    const stream = await killed.client.begin(id, { text: 'Go.' });
    stream.closed().catch(() => {});
    await stream.until(event => event.type === 'tool_call' && event.name === 'shell');
    await expect.poll(() => existsSync(at('there')), { timeout: 60_000 }).toBe(true);
    await killed.kill();
    const again = await kernelOf({ dataDir: data, settings });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('after');
    await again.client.rewindFiles(id, stream.messageId, { files: 'restore' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('before');
  });
});
