/** Hands for Node refuse paths out of reach, cut endless output, and leave no half-written file. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { perform } from '../src/index.ts';
import { type NodeHandsOptions, nodeHands } from '../src/node/index.ts';

let outside: string;
let workdir: string;
let removes: (() => void)[];
beforeEach(() => {
  const directories = [temporaryDirectory(), temporaryDirectory()] as const;
  [outside, workdir] = [realpathSync(directories[0].path), realpathSync(directories[1].path)];
  removes = directories.map(({ remove }) => remove);
  writeFileSync(join(outside, 'key'), 'secret');
});
afterEach(() => {
  for (const remove of removes) remove();
});

const act = (action: string, params: object, options: Partial<NodeHandsOptions> = {}) =>
  perform(
    nodeHands({ workdir, ...options }),
    action,
    { ...params },
    {
      signal: new AbortController().signal,
      progress() {},
    },
  );

it('[OP-1] [OP-2] touches nothing outside of its directories, by no path and no link', async () => {
  symlinkSync(outside, join(workdir, 'link'));
  symlinkSync(join(outside, 'new'), join(workdir, 'dangling'));
  const out = { error: expect.stringContaining('is out of reach') };
  const data = Buffer.from('x').toString('base64');
  for (const path of [join(outside, 'key'), '../x', 'link/key', 'link/new', '/etc/hosts', `${workdir}x`]) {
    expect([path, await act('read', { path })]).toEqual([path, out]);
    expect([path, await act('write', { path, content: '' })]).toEqual([path, out]);
    expect([path, await act('read_bytes', { path, offset: 0, size: 1 })]).toEqual([path, out]);
    expect([path, await act('write_bytes', { path, offset: 0, data, truncate: true })]).toEqual([path, out]);
    expect([path, await act('find_bytes', { path, data, offset: 0, limit: 1 })]).toEqual([path, out]);
    expect([path, await act('shell', { command: 'pwd', workdir: path })]).toEqual([path, out]);
  }
  expect(await act('write', { path: 'dangling', content: 'x' })).toEqual(out);
  expect(await act('write_bytes', { path: 'dangling', offset: 0, data, truncate: true })).toEqual(out);
  expect(readdirSync(outside)).toEqual(['key']);
  expect(await act('read', { path: join(outside, 'key') }, { within: [outside] })).toEqual({
    result: 'secret',
  });
  expect(await act('read', { path: join(outside, 'key') }, { within: ['/'] })).toEqual({ result: 'secret' });
});

it('[OP-2] a link whose target is not there is followed as the system does, not by the words of its path', async () => {
  // link/sub/.. is outside, though its text names the directory of the hands.
  mkdirSync(join(outside, 'deep'));
  symlinkSync(join(outside, 'deep'), join(workdir, 'deep'));
  symlinkSync('deep/../new', join(workdir, 'escape'));
  symlinkSync('nowhere/../circle', join(workdir, 'circle'));
  const data = Buffer.from('x').toString('base64');
  for (const path of ['escape', 'circle']) {
    const answer = await act('write_bytes', { path, offset: 0, data, truncate: true });
    expect([path, answer]).toEqual([path, { error: expect.stringMatching(/out of reach|too many links/) }]);
  }
  expect(readdirSync(outside).sort()).toEqual(['deep', 'key']);
});

it('[OP-1] [OP-2] pipes and devices are never waited for', async () => {
  execFileSync('mkfifo', [join(workdir, 'pipe')]);
  symlinkSync('/dev/zero', join(workdir, 'zero'));
  const no = { error: expect.stringContaining('is no regular file') };
  for (const path of ['pipe', 'zero']) {
    const params = { path, offset: 0, size: 1, data: 'eA==', limit: 1, truncate: false, content: 'x' };
    for (const action of ['read', 'write', 'read_bytes', 'write_bytes', 'find_bytes']) {
      expect([action, await act(action, params, { within: ['/'] })]).toEqual([action, no]);
    }
  }
  // The file reports a size of 0, and is not empty.
  expect(await act('read', { path: '/proc/self/stat' }, { within: ['/'], maxTextBytes: 10 })).toEqual({
    error: expect.stringContaining('more than the 10 bytes'),
  });
});

it('[OP-2] bytes are found over the borders of pieces, and wishes without an end are refused', async () => {
  const border = 1024 * 1024;
  writeFileSync(join(workdir, 'big'), Buffer.alloc(border + 10, '.').fill('aaa', border - 1, border + 2));
  const find = (data: string, more = {}) =>
    act('find_bytes', { path: 'big', data: btoa(data), offset: 0, limit: 10, ...more });
  expect(await find('aa')).toEqual({ result: { total: border + 10, offsets: [border - 1, border] } });
  expect(await find('aa', { offset: border })).toMatchObject({ result: { offsets: [border] } });
  expect(await find('aa', { limit: 1 })).toMatchObject({ result: { offsets: [border - 1] } });
  expect(await find('', { limit: 1e300 })).toEqual({ error: expect.stringContaining('limit') });
  expect(await find('')).toEqual({ error: expect.stringContaining('data is empty') });
  const read = (offset: number, size: number) => act('read_bytes', { path: 'big', offset, size });
  expect(await read(-1, 1)).toEqual({ error: expect.stringContaining('offset') });
  expect(await read(0, 1e12)).toEqual({ error: expect.stringContaining('size') });
});

it('[OP-1] a file is replaced as a whole and keeps its rights; nothing is left beside it', async () => {
  writeFileSync(join(workdir, 'run.sh'), 'old');
  chmodSync(join(workdir, 'run.sh'), 0o755);
  symlinkSync('run.sh', join(workdir, 'alias'));
  const inode = statSync(join(workdir, 'run.sh')).ino;
  expect(await act('write', { path: 'alias', content: 'new' })).toEqual({ result: 'written' });
  expect(readFileSync(join(workdir, 'run.sh'), 'utf8')).toBe('new');
  const { mode, ino } = statSync(join(workdir, 'run.sh'));
  expect([mode & 0o777, ino === inode]).toEqual([0o755, false]);
  expect(readdirSync(workdir).sort()).toEqual(['alias', 'run.sh']);
});

it('[OP-1] of long output the beginning and the end are kept', async () => {
  const command = 'echo first; seq 100000; echo läst';
  const answer = await act('shell', { command }, { maxOutputChars: 1000 });
  const { output, exit_code } = (answer as { result: { output: string; exit_code: number } }).result;
  expect(exit_code).toBe(0);
  expect(output).toMatch(/^first\n1\n2\n[\s\S]*\n\[\d+ characters left out here\]\n[\s\S]*100000\nläst\n$/);
  const left = Number(/\[(\d+) characters/.exec(output)?.[1]);
  const whole = 'first\n'.length + 588_895 + 'läst\n'.length;
  expect(output.replace(/\n\[\d+ characters left out here\]\n/, '').length + left).toBe(whole);
});

it('[OP-1] a command and all it started end with its time', async () => {
  const begun = Date.now();
  const command = 'sleep 30 & echo $! > pid; echo on; wait';
  expect(await act('shell', { command, timeout_secs: 0.3 })).toEqual({
    result: { output: 'on\n', exit_code: 124 },
  });
  expect(Date.now() - begun).toBeLessThan(20_000);
  const pid = Number(readFileSync(join(workdir, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('[OP-1] a process that leaves the group of a command does not hold up its result', async () => {
  const begun = Date.now();
  const command =
    "setsid sh -c 'echo $$ > pid; exec sleep 20' & while [ ! -s pid ]; do sleep 0.02; done; echo on";
  expect(await act('shell', { command })).toEqual({ result: { output: 'on\n', exit_code: 0 } });
  process.kill(Number(readFileSync(join(workdir, 'pid'), 'utf8')), 'SIGKILL');
  expect(Date.now() - begun).toBeLessThan(20_000);
});

it('[OP-1] a command that closes its output runs on, and a very long time is no short one', async () => {
  const command = 'echo on; exec >&- 2>&-; sleep 0.4; exit 3';
  expect(await act('shell', { command, timeout_secs: 1e9 })).toEqual({
    result: { output: 'on\n', exit_code: 3 },
  });
});

it('[OP-1] commands do not get the token of the proxy', async () => {
  vi.stubEnv('CHAT_KERNEL_TOKEN', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await act('shell', { command: 'echo "$CHAT_KERNEL_TOKEN."' })).toMatchObject({
    result: { output: '.\n' },
  });
});

it('[OP-1] a text that is too long is not read as one', async () => {
  writeFileSync(join(workdir, 'long'), 'x'.repeat(100));
  expect(await act('read', { path: 'long' }, { maxTextBytes: 99 })).toEqual({
    error: expect.stringContaining('has 100 bytes'),
  });
});

it('[OP-2] parameters that are not those of the action are an error, which the model reads', async () => {
  expect(await act('write', { path: 'a' })).toEqual({ error: 'write needs content: a string' });
  expect(await act('write_bytes', { path: 'a', offset: 0, data: 'no base64!', truncate: true })).toEqual({
    error: 'data is no base64',
  });
  expect(await act('constructor', {})).toEqual({ error: 'unknown op action' });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie counts as dead.
  return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}

it('finds project files, and no link out of their directory', async () => {
  mkdirSync(join(workdir, 'sub'));
  writeFileSync(join(workdir, 'other.md'), '');
  symlinkSync('other.md', join(workdir, 'AGENTS.md'));
  symlinkSync(join(outside, 'key'), join(workdir, 'sub/AGENTS.md'));
  const { dirs } = await nodeHands({ workdir }).list_up(
    { path: 'sub', names: ['AGENTS.md', 'none'] },
    {
      signal: new AbortController().signal,
      progress() {},
    },
  );
  expect(dirs.slice(0, 2)).toEqual([
    { dir: join(workdir, 'sub'), found: [] },
    { dir: workdir, found: ['AGENTS.md'] },
  ]);
});
