import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockDirectory } from '../../../packages/storage/src/database/directory-lock.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { startInBackground } from '../src/commands/background.ts';
import { runAsKernel } from './as-kernel.ts';
import { listen } from './listen.ts';
import { runInProcess, startInProcess } from './run-in-process.ts';

const PID = process.pid;
let home: string;
let data: string;
let log: string;
beforeEach(() => {
  home = directoryOfTest();
  data = join(home, 'data');
  log = join(data, 'kernel.log');
  mkdirSync(data);
});

const run = (words: string[], more: Parameters<typeof runInProcess>[2] = {}) =>
  runInProcess([...words, '--data', data], home, more);
/** A server that is ready, and knows nothing else. */
const ready = () =>
  listen(({ url }, response) => response.writeHead(url === '/readyz' ? 200 : 404).end('{}'));
/** Locks the data as a kernel does that cannot be found. */
const lock = () => onTestFinished(lockDirectory(data).release);
/** Moves the clock at each look. Returns how long it has moved, in milliseconds. */
function moveClock(step: number): () => number {
  let now = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += step;
    return now;
  });
  onTestFinished(() => spy.mockRestore());
  return () => now;
}

const NONE = () => `No server is running in ${data}.\n`;
const UNKNOWN = () =>
  `An unknown process uses ${data}: a server that is starting, runs in a container or is an older version, ` +
  'or a restore of a backup.\n';
const INVALID = { out: '', err: '--port: server.port: expected a number\n', code: 1 };

describe('status', () => {
  const stateSince = (since: string) => `(process ${PID}, version 1.2.3, since ${since})`;
  const json = async () => {
    const { out, ...rest } = await run(['status', '--json']);
    return { ...rest, facts: JSON.parse(out) };
  };

  it('says that none runs, or an unknown one', async () => {
    expect(await run(['status'])).toEqual({ out: NONE(), err: '', code: 3 });
    const facts = { running: false, ready: false, data_dir: data, log: null };
    expect(await json()).toEqual({ facts, err: '', code: 3 });
    lock();
    expect(await run(['status'])).toEqual({ out: UNKNOWN(), err: '', code: 4 });
    expect(await json()).toEqual({ facts: { ...facts, running: true }, err: '', code: 4 });
    expect(await run(['status', '--port', 'x'])).toEqual(INVALID);
  });

  it('prints address, model, data and log of a kernel that answers', async () => {
    const url = await ready();
    const { since } = runAsKernel(data, { url, demo: false, model: 'a/b' });
    expect(await run(['status'])).toEqual({
      out: `The kernel is running: ${url} ${stateSince(since)}\n  model  a/b\n  data   ${data}\n  log    ${log}\n`,
      err: '',
      code: 0,
    });
    const facts = { pid: PID, version: '1.2.3', since, url, model: 'a/b', demo: false, problems: [] };
    expect(await json()).toEqual({
      facts: { running: true, ready: true, data_dir: data, log, ...facts },
      err: '',
      code: 0,
    });
    // One that is found holds the lock, too.
    lock();
    runAsKernel(data, { url, logs_here: false });
    expect((await json()).facts.log).toBe(null);
    expect((await run(['status'])).out).toContain(
      '  log    printed by the terminal or service that started it\n',
    );
  });

  it('says that a kernel is starting, or does not answer', async () => {
    const { since } = runAsKernel(data);
    expect(await run(['status'])).toMatchObject({
      out: `The kernel is starting ${stateSince(since)}\n  data   ${data}\n  log    ${log}\n`,
      code: 4,
    });
    const url = await listen((_, response) => response.writeHead(503).end());
    runAsKernel(data, { url });
    expect(await run(['status'])).toMatchObject({
      out: expect.stringContaining(`The kernel is running but does not answer: ${url} (process ${PID}, `),
      code: 4,
    });
  });
});

it('stop says that none runs, or an unknown one', async () => {
  expect(await run(['stop'])).toEqual({ out: NONE(), err: '', code: 0 });
  lock();
  expect(await run(['stop'])).toEqual({ out: UNKNOWN(), err: '', code: 1 });
  expect(await run(['stop', '--port', 'x'])).toEqual(INVALID);
});

describe('startInBackground', () => {
  const start = (flags = {}, directory = data) => startInBackground(flags, directory);

  it('waits for a kernel that is already starting', async () => {
    const url = await ready();
    runAsKernel(data);
    setTimeout(() => runAsKernel(data, { url }), 20);
    expect(await start()).toMatchObject({ url, pid: PID });
  });

  it('reports a running kernel that does not answer', async () => {
    runAsKernel(data, { url: `http://127.0.0.1:${await freePort()}` });
    const elapsed = moveClock(10_000);
    await expect(start()).rejects.toThrow(
      `The running kernel (process ${PID}) does not answer. Stop it first.`,
    );
    expect(elapsed()).toBeGreaterThan(60_000);
  });
});

describe('up', () => {
  it('says that a kernel already runs, with what its user must know', async () => {
    const url = await ready();
    runAsKernel(data, { url, demo: false, model: 'a/b', problems: ['No key.'] });
    const { port } = new URL(url);
    expect(await run(['up', '--port', port], { env: { CHAT_KERNEL_NO_SUCH: '1' } })).toEqual({
      out: expect.stringContaining(
        `The kernel is already running: ${url} (process ${PID}, version 1.2.3)\n  model  a/b\n  error  No key.\n  data   ${data}\n`,
      ),
      err: expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n$/),
      code: 0,
    });
  });

  it('rejects the address of a kernel with other data', async () => {
    const url = await ready();
    expect(await run(['up', '--port', new URL(url).port])).toEqual({
      out: '',
      err: `chat-kernel: A kernel with other data uses ${url}. Choose another --port.\n`,
      code: 1,
    });
  });
});

describe('logs', () => {
  const line = (msg: string) => JSON.stringify({ level: 30, time: '2026-01-02T03:04:05.678Z', msg });

  it('prints the last lines of both files, unchanged', async () => {
    writeFileSync(`${log}.1`, `${line('1')}\n${line('2')}\n`);
    writeFileSync(log, `${line('3')}\n${line('4')}\n`);
    const printed = async (...words: string[]) => {
      const { out, ...rest } = await run(['logs', ...words]);
      expect(rest).toEqual({ err: '', code: 0 });
      return out
        .split('\n')
        .flatMap(each => (each === '' ? [] : [JSON.parse(each).msg]))
        .join('');
    };
    expect(await printed()).toBe('1234');
    expect(await printed('-n', '3')).toBe('234');
    expect(await printed('--lines', '1')).toBe('4');
    expect(await printed('-n', '0')).toBe('');
    writeFileSync(`${log}.1`, 'torn');
    expect(await printed('-n', '2')).toBe('34');
    rmSync(`${log}.1`);
    expect(await printed()).toBe('34');
    writeFileSync(log, Array.from({ length: 101 }, (_, n) => `${line(`${n},`)}\n`).join(''));
    expect(await printed()).toMatch(/^1,.*,100,$/);
  });

  it('formats lines on a terminal', async () => {
    writeFileSync(log, `${line('Hello.')}\n`);
    const { out } = await run(['logs'], { isTTY: true, env: { NO_COLOR: '1' } });
    expect(out).toMatch(/^2026-01-0\d \d\d:\d\d:05\.678 info {2}Hello\.\n$/);
    expect((await run(['logs'], { isTTY: true })).out).toContain('\x1b[32minfo');
  });

  it('explains a missing log, one of earlier kernels, and an invalid number', async () => {
    expect(await run(['logs'])).toEqual({
      out: '',
      err: `chat-kernel: ${log} does not exist, because no kernel has run in the background.\n`,
      code: 1,
    });
    for (const number of ['many', '1x', 'x1', '1'.repeat(10)])
      expect(await run(['logs', '-n', number])).toEqual({
        out: '',
        err: `chat-kernel logs: --lines must be a number, not ${number}.\n`,
        code: 2,
      });
    writeFileSync(log, 'older\n');
    runAsKernel(data, { logs_here: false });
    expect(await run(['logs'])).toEqual({
      out: 'older\n',
      err: 'The running kernel logs to its terminal or service. This is the log of earlier kernels.\n',
      code: 0,
    });
    runAsKernel(data);
    expect((await run(['logs'])).err).toBe('');
  });

  it('follows the log through pieces, an emptied and a missing file', async () => {
    writeFileSync(log, 'old\n');
    const { stdout, stderr, ended } = startInProcess(['logs', '-f', '-n', '0', '--data', data], home);
    const printed = (text: string) => expect.poll(() => stdout.text).toBe(text);
    /** Waits until the command has looked at the file. */
    const looked = () =>
      new Promise(resolve => setTimeout(resolve, 200)).then(() => new Promise(setImmediate));
    await looked();
    const word = Buffer.from('größer\n');
    appendFileSync(log, word.subarray(0, 3));
    await looked();
    appendFileSync(log, Buffer.concat([word.subarray(3), Buffer.from('rest')]));
    await printed('größer\n');
    // Half of a character and of a line are dropped with the file.
    appendFileSync(log, word.subarray(0, 3));
    await looked();
    writeFileSync(log, 'new\n');
    await printed('größer\nnew\n');
    rmSync(log);
    await looked();
    writeFileSync(log, 'x\n');
    await printed('größer\nnew\nx\n');
    // A folder ends the command, as an unreadable file does.
    rmSync(log);
    mkdirSync(log);
    expect(await ended).toMatchObject({ code: 1 });
    expect(stderr.text).toMatch(/^chat-kernel: Error: EISDIR/);
  });

  it.each([
    ['EPIPE', 0, ''],
    ['ENOSPC', 1, 'chat-kernel: The log could not be printed: write ENOSPC\n'],
  ])('ends when its output fails with %s', async (code, exit, err) => {
    writeFileSync(log, 'old\n');
    const { stdout, ended } = startInProcess(['logs', '-f', '--data', data], home);
    await expect.poll(() => stdout.text).toBe('old\n');
    stdout.emit('error', Object.assign(new Error(`write ${code}`), { code }));
    expect(await ended).toEqual({ out: 'old\n', err, code: exit });
  });
});
