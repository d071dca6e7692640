/** `chat-kernel ask` as scripts use it: a process, its three streams, its exit code; against a real kernel. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { becomes, started, tool } from '../../../test/harness/modules.ts';
import { type KernelProcess, startKernelProcess } from '../../../test/harness/process.ts';
import { PROGRAM } from '../../../test/harness/program.ts';
import { StandingBy } from '../../../test/harness/standing-by.ts';
import type { ScriptedReply } from '../../../test/upstream/reply.ts';

const NOTE = { call: { name: 'notebook', input: { text: 'It is here.', mode: 'replace' } } };

let kernel: KernelProcess;
let folder: string;
beforeAll(async () => {
  const printer = started({ name: 'printer', tools: [tool('ask')] });
  kernel = await startKernelProcess({ settings: { modules: { servers: { printer } } } });
});
afterAll(() => kernel.stop());
beforeEach(() => {
  folder = directoryOfTest();
});

const spawned = (words: string[], url = kernel.url) =>
  spawn(process.execPath, [PROGRAM, 'ask', ...words], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, CHAT_KERNEL_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own has no terminal, whatever the tests were started from.
    detached: true,
  });
function start(words: string[], { url = kernel.url, input = '' } = {}) {
  const child = spawned(words, url);
  child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ out, err, code: code as number }),
  );
  return { child, ended };
}
const ask = (words: string[], more?: { url?: string; input?: string }) => start(words, more).ended;
const lastMessage = () => JSON.stringify(kernel.upstream.requests.at(-1)?.body);

describe('chat-kernel ask', () => {
  it('writes the answer to stdout and the rest to stderr, and exits with 0', async () => {
    kernel.upstream.next(
      { steps: [{ text: ['First I ', 'look.'] }, NOTE] },
      { steps: [{ text: 'It is here.' }] },
    );
    const { out, err, code } = await ask(['where', 'is', 'it?']);
    expect({ out, code }).toEqual({ out: 'First I look.\n\nIt is here.\n', code: 0 });
    expect(err).toMatch(/^· notebook replace\n· completed: [\d,]+ tokens, \$0\.\d+\n$/);
    expect(lastMessage()).toContain('where is it?');
  });

  it('reads the prompt from stdin, or its context if there is a prompt', async () => {
    expect((await ask(['-q'], { input: 'from stdin\n' })).out).toBe('ok\n');
    expect(lastMessage()).toContain('from stdin');
    expect(await ask(['-q', 'and this?'], { input: 'what it is about' })).toEqual({
      out: 'ok\n',
      err: '',
      code: 0,
    });
    expect(lastMessage()).toMatch(/what it is about[\s\S]*and this\?|and this\?[\s\S]*what it is about/);
    expect(await ask([])).toEqual({
      out: '',
      err: 'chat-kernel ask: No prompt. Pass it as an argument or on stdin.\n',
      code: 2,
    });
  });

  it.each<[ScriptedReply, string, string]>([
    [{ steps: [] }, '', '[empty] The model ended this turn without a reply.'],
    [
      { steps: [{ text: 'cut' }], finish: 'length' },
      'cut\n',
      '[truncated] This reply was cut off before its end.',
    ],
  ])('explains an empty or truncated reply on stderr, also with --quiet: %j', async (reply, out, note) => {
    kernel.upstream.next(reply);
    expect(await ask(['-q', 'go'])).toEqual({ out, err: `chat-kernel ask: ${note}\n`, code: 0 });
  });

  it('prints the events as JSON lines, the ids of the turn first', async () => {
    const { out, code } = await ask(['--json', '-q', 'hello']);
    const events = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(code).toBe(0);
    expect(Object.keys(events[0])).toEqual(['type', 'chat_id', 'turn_id', 'message_id']);
    expect(events.filter(({ type }) => type === 'text_delta')).toEqual([{ type: 'text_delta', text: 'ok' }]);
    expect(events.findLast(({ type }) => type === 'done')).toMatchObject({ turn_id: events[0].turn_id });
  });

  it('runs operations that the policy allows, and denies the rest', async () => {
    writeFileSync(join(folder, 'tea.txt'), 'Darjeeling');
    kernel.upstream.next(
      {
        steps: [
          { call: { name: 'read_file', input: { files: [{ path: 'tea.txt' }] } } },
          { call: { name: 'write_file', input: { path: 'out.txt', content: 'x' } } },
        ],
      },
      { steps: [{ text: 'done' }] },
    );
    const { err, code } = await ask(['--hands', 'reads', 'which tea?']);
    expect(code).toBe(0);
    expect(lastMessage()).toContain('Darjeeling');
    expect(lastMessage()).toContain('The user declined this operation.');
    expect(err).toContain('  write_file failed: The user declined this operation.');
    kernel.upstream.next(
      { steps: [{ call: { name: 'write_file', input: { path: 'out.txt', content: 'x' } } }] },
      { steps: [{ text: 'done' }] },
    );
    await ask(['--hands', 'all', 'write it']);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('x');
  });

  it('[WHO-5] uses no machine without hands, and the machine of the kernel only with --hands kernel [WHO-6]', async () => {
    const writes = () =>
      kernel.upstream.next(
        {
          steps: [{ call: { name: 'write_file', input: { path: join(folder, 'made.txt'), content: 'x' } } }],
        },
        { steps: [{ text: 'done' }] },
      );
    writes();
    const { out, err } = await ask(['write it']);
    expect(out).toBe('done\n');
    expect(err).toContain('There is no tool write_file.');
    expect(existsSync(join(folder, 'made.txt'))).toBe(false);
    writes();
    await ask(['--hands', 'kernel', 'write it']);
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('x');
    const [newest] = (await kernel.api.get('/v1/chats')).body.chats;
    expect(newest).toMatchObject({ consent: 'ask', workdir_on: 'server', workdir: realpathSync(folder) });
  });

  it('denies external actions of modules with --hands kernel', async () => {
    await becomes(kernel.api, 'printer', 'up');
    const call = { name: 'printer_ask', input: { shown: { to: 'bob@friends.test' } } };
    kernel.upstream.next({ steps: [{ call }] }, { steps: [{ text: 'done' }] });
    const { code } = await ask(['--hands', 'kernel', 'send it']);
    expect(code).toBe(0);
    expect(lastMessage()).toContain('The user declined this operation.');
  });

  it('denies operations on another machine immediately, and names an alternative', async () => {
    const laptop = await StandingBy.open(kernel.api, 'laptop');
    void laptop.findNone().catch(() => undefined);
    const chat = await kernel.api.newChat();
    const place = { workdir: '/home/me', workdir_on: 'client', hands: 'laptop' };
    expect((await kernel.api.put(`/v1/chats/${chat.id}/workdir`, place)).status).toBe(200);
    const writes = { steps: [{ call: { name: 'write_file', input: { path: 'made.txt', content: 'x' } } }] };
    for (const policy of ['kernel', 'all', 'reads']) {
      kernel.upstream.next(writes, { steps: [{ text: 'done' }] });
      const { out, err, code } = await ask(['--chat', chat.id, '--hands', policy, 'write it']);
      expect({ out, code }).toEqual({ out: 'done\n', code: 0 });
      expect(err).toContain(
        `The machine of this chat is laptop, where --hands ${policy} allows nothing. Use --hands ask`,
      );
      expect(lastMessage()).toContain('A script cannot approve operations on this machine');
    }
    expect(laptop.told).not.toContain('write');
    expect(existsSync(join(folder, 'made.txt'))).toBe(false);
    laptop.leave();
  });

  it('fails with --hands ask if there is no terminal', async () => {
    const { code, err } = await ask(['--hands', 'ask', 'hello']);
    expect(code).toBe(2);
    expect(err).toContain(
      '--hands ask: There is no terminal to ask for approval. Use --hands reads, all or none.',
    );
  });

  it('reports failures by its exit code', async () => {
    kernel.upstream.next({ error: 'unauthorized' });
    const failed = await ask(['-q', 'hello']);
    expect(failed).toMatchObject({ out: '', code: 1, err: expect.stringMatching(/^chat-kernel ask: .+\n$/) });
    expect(await ask(['--chat', '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa', 'hello'])).toMatchObject({ code: 4 });
    expect(await ask(['--model', 'no/such', 'hello'])).toMatchObject({ code: 4 });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const url = `http://127.0.0.1:${port}`;
    expect(await ask(['hello'], { url })).toEqual({
      out: '',
      err: `chat-kernel ask: No server is responding at ${url}. Start one with \`chat-kernel up\`, or set another address with --url.\n`,
      code: 3,
    });
    expect(await ask(['--hands', 'some', 'hello'])).toMatchObject({
      code: 2,
      err: 'chat-kernel ask: --hands must be one of none, reads, ask, all, kernel.\n',
    });
  });

  it('cancels its turn when it is interrupted or its reader closes the pipe', async () => {
    const stall = () => ({ steps: [{ text: 'one\n' }, { wait: new Promise(() => {}) }] });
    kernel.upstream.next(stall());
    const interrupted = start(['hello']);
    await once(interrupted.child.stdout, 'data');
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toMatchObject({ code: 130 });
    expect(await kernel.upstream.requests.at(-1)?.ended).toBe('aborted');

    kernel.upstream.next({
      steps: [{ text: 'one\n' }, { delay_ms: 200 }, { text: 'two\n' }, { wait: new Promise(() => {}) }],
    });
    const unread = start(['hello']);
    await once(unread.child.stdout, 'data');
    unread.child.stdout.destroy();
    // The reader of stdout goes away before the end.
    unread.ended.catch(() => {});
    expect(await once(unread.child, 'exit')).toEqual([130, null]);
    expect(await kernel.upstream.requests.at(-1)?.ended).toBe('aborted');
  });

  it('only reads, even if all writes in the chat are allowed', async () => {
    const write = (path: string) => ({
      steps: [{ call: { name: 'write_file', input: { path, content: 'x' } } }],
    });
    const { id } = (await kernel.api.post('/v1/chats', { workdir: folder })).body as { id: string };
    kernel.upstream.next(write('first'), { steps: [{ text: 'ok' }] });
    const stream = await kernel.api.turn(id, { text: 'Go.', client_ops: true, client_id: 'me' });
    const { op_id } = await stream.until('client_op');
    await kernel.api.post(`/v1/chats/${id}/ops/result`, {
      id: op_id,
      result: 'written',
      decision: 'allow_always',
    });
    await stream.all();
    kernel.upstream.next(write('second'), { steps: [{ text: 'ok' }] });
    const { code } = await ask(['-q', '--hands', 'reads', '--chat', id, 'again']);
    expect(code).toBe(0);
    expect(lastMessage()).toContain('The user declined this operation.');
    expect(existsSync(join(folder, 'second'))).toBe(false);
  });

  it('leaves no chat or turn behind if it is interrupted before its turn starts', async () => {
    await kernel.api.post('/v1/sleep', {});
    onTestFinished(async () => void (await kernel.api.post('/v1/sleep/wake')));
    const before = (await kernel.api.get('/v1/chats')).body.chats.length;
    const sleeping = start(['--forget', 'hello']);
    const [line] = await once(sleeping.child.stderr, 'data');
    expect(String(line)).toMatch(/^· (asleep|queued)/);
    sleeping.child.kill('SIGINT');
    expect(await sleeping.ended).toMatchObject({ code: 130 });
    expect((await kernel.api.get('/v1/chats')).body.chats).toHaveLength(before);
    expect((await kernel.api.get('/v1/sleep')).body.waiting ?? []).toEqual([]);
  });

  it('prints that it waits for stdin while stdin is open, and can be interrupted then', async () => {
    const child = spawned(['hello']);
    const [line] = await once(child.stderr, 'data');
    expect(String(line)).toBe(
      'chat-kernel ask: Reading stdin until it ends. To send no input, add < /dev/null.\n',
    );
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  it('answers even if stderr is closed', async () => {
    kernel.upstream.next({ steps: [NOTE] }, { steps: [{ text: 'a\u009bb' }] });
    const child = spawned(['--json', 'hello']);
    child.stdin.end();
    child.stderr.destroy();
    const out = text(child.stdout);
    expect(await once(child, 'exit')).toEqual([0, null]);
    // The control character itself would steer a terminal.
    expect(await out).toContain('{"type":"text_delta","text":"a\\u009bb"}\n');
  });
});
