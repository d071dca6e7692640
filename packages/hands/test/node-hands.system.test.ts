/** Tests that hands for Node refuse forbidden paths, limit endless output, and leave no partial file. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { executeOperation } from '@chat-kernel/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { type NodeHandsOptions, nodeHands } from '../src/node/index.ts';

// Also after a failed test: other files run in the same process.
afterEach(() => vi.unstubAllEnvs());

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
  executeOperation(
    nodeHands({ workdir, ...options }),
    action,
    { ...params },
    {
      signal: new AbortController().signal,
      progress() {},
    },
  );

it('[CONSENT-6] writes a protected path only by its own name, because approvals compare names', async () => {
  mkdirSync(join(workdir, '.git', 'hooks'), { recursive: true });
  symlinkSync(join(workdir, '.git'), join(workdir, 'docs'));
  symlinkSync(join(workdir, 'HEAD'), join(workdir, 'a.txt'));
  const refused = { error: expect.stringContaining('is a link to the protected path') };
  for (const path of ['docs/hooks/pre-commit', 'a.txt', join(workdir, 'docs/config')]) {
    expect([path, await act('write', { path, content: 'x' })]).toEqual([path, refused]);
  }
  expect(readdirSync(join(workdir, '.git'), { recursive: true })).toEqual(['hooks']);
  for (const path of ['.git/hooks/pre-commit', 'HEAD', 'src/HEAD', 'a/b.txt']) {
    expect([path, await act('write', { path, content: 'x' })]).toEqual([path, { result: 'written' }]);
  }
});

it('[OP-1] [OP-2] touches nothing outside of its directories, by path or link', async () => {
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

it('[CONSENT-5] reads a secret place by its own path only, about which the user is asked', async () => {
  const home = realpathSync(workdir);
  vi.stubEnv('HOME', home);
  mkdirSync(join(workdir, '.ssh'));
  writeFileSync(join(workdir, '.ssh', 'config'), 'Host x');
  writeFileSync(join(workdir, '.env'), 'KEY=1');
  symlinkSync('.ssh/config', join(workdir, 'notes'));
  symlinkSync('.env', join(workdir, 'settings'));
  mkdirSync(join(workdir, 'app'));
  symlinkSync('../.ssh/config', join(workdir, 'app', '.env'));
  symlinkSync('.', join(workdir, 'linked'));
  const data = Buffer.from('x').toString('base64');
  for (const [path, shown] of [
    ['notes', '~/.ssh/config'],
    [join(home, '.ssh', 'config'), '~/.ssh/config'],
    ['settings', '~/.env'],
    // The user would be asked about one place, and the content would be that of another.
    ['app/.env', '~/.ssh/config'],
    ['linked/.env', '~/.env'],
  ]) {
    const refused = {
      error: `${path} leads to a secret place: ${shown}. Use that path; the user is asked about it.`,
    };
    expect(await act('read', { path })).toEqual(refused);
    expect(await act('read_bytes', { path, offset: 0, size: 1 })).toEqual(refused);
    expect(await act('find_bytes', { path, data, offset: 0, limit: 1 })).toEqual(refused);
  }
  expect(await act('read', { path: '~/.ssh/config' })).toEqual({ result: 'Host x' });
  expect(await act('read', { path: '.env' })).toEqual({ result: 'KEY=1' });
});

it('[OP-2] neither reads nor changes a file with another name, which may be outside', async () => {
  linkSync(join(outside, 'key'), join(workdir, 'hard'));
  const data = Buffer.from('x').toString('base64');
  const no = { error: expect.stringMatching(/hard is a hard link: .* Copy the file with a command/) };
  expect(await act('read', { path: 'hard' })).toEqual(no);
  expect(await act('read_bytes', { path: 'hard', offset: 0, size: 1 })).toEqual(no);
  expect(await act('find_bytes', { path: 'hard', data, offset: 0, limit: 1 })).toEqual(no);
  expect(await act('write_bytes', { path: 'hard', offset: 0, data, truncate: true })).toEqual(no);
  // The whole file system has no outside.
  expect(await act('read', { path: 'hard' }, { within: ['/'] })).toEqual({ result: 'secret' });
  // A written file replaces the link.
  expect(await act('write', { path: 'hard', content: 'mine' })).toEqual({ result: 'written' });
  expect(readFileSync(join(outside, 'key'), 'utf8')).toBe('secret');
  expect(await act('read', { path: 'hard' })).toEqual({ result: 'mine' });
});

it('[OP-2] reads a package that its manager has linked, and does not change it', async () => {
  mkdirSync(join(workdir, 'node_modules', 'a'), { recursive: true });
  const path = 'node_modules/a/index.js';
  linkSync(join(outside, 'key'), join(workdir, path));
  expect(await act('read', { path })).toEqual({ result: 'secret' });
  const change = await act('write_bytes', { path, offset: 0, data: 'eA==', truncate: true });
  expect(change).toEqual({ error: expect.stringContaining('is a hard link') });
  expect(readFileSync(join(outside, 'key'), 'utf8')).toBe('secret');
});

it('[OP-2] follows a dangling link like the system, not by the text of its path', async () => {
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

it('[OP-1] [OP-2] never waits for pipes and devices', async () => {
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

it('[OP-2] finds bytes across chunk boundaries, and rejects unbounded patterns', async () => {
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

it('[OP-1] replaces a file atomically, keeps its permissions, and leaves no other file', async () => {
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

it('[OP-1] keeps the beginning and the end of long output', async () => {
  const command = 'echo first; seq 100000; echo läst';
  const answer = await act('shell', { command }, { maxOutputChars: 1000 });
  const { output, exit_code } = (answer as { result: { output: string; exit_code: number } }).result;
  expect(exit_code).toBe(0);
  expect(output).toMatch(/^first\n1\n2\n[\s\S]*\n\[\d+ characters left out here\]\n[\s\S]*100000\nläst\n$/);
  const left = Number(/\[(\d+) characters/.exec(output)?.[1]);
  const whole = 'first\n'.length + 588_895 + 'läst\n'.length;
  expect(output.replace(/\n\[\d+ characters left out here\]\n/, '').length + left).toBe(whole);
});

it('[OP-1] ends a command and all its children at its timeout', async () => {
  const begun = Date.now();
  const command = 'sleep 30 & echo $! > pid; echo on; wait';
  expect(await act('shell', { command, timeout_secs: 0.3 })).toEqual({
    result: { output: 'on\n', exit_code: 124 },
  });
  expect(Date.now() - begun).toBeLessThan(20_000);
  const pid = Number(readFileSync(join(workdir, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('[OP-1] returns the result even if a process leaves the group of its command', async () => {
  const begun = Date.now();
  const command =
    "setsid sh -c 'echo $$ > pid; exec sleep 20' & while [ ! -s pid ]; do sleep 0.02; done; echo on";
  expect(await act('shell', { command })).toEqual({ result: { output: 'on\n', exit_code: 0 } });
  process.kill(Number(readFileSync(join(workdir, 'pid'), 'utf8')), 'SIGKILL');
  expect(Date.now() - begun).toBeLessThan(20_000);
});

it('[OP-1] keeps running a command that closes its output, and accepts a very long timeout', async () => {
  const command = 'echo on; exec >&- 2>&-; sleep 0.4; exit 3';
  expect(await act('shell', { command, timeout_secs: 1e9 })).toEqual({
    result: { output: 'on\n', exit_code: 3 },
  });
});

it('[OP-1] hides the token of the proxy from commands', async () => {
  vi.stubEnv('CHAT_KERNEL_TOKEN', 'secret');
  expect(await act('shell', { command: 'echo "$CHAT_KERNEL_TOKEN."' })).toMatchObject({
    result: { output: '.\n' },
  });
});

it('[OP-1] does not read a text that is too long', async () => {
  writeFileSync(join(workdir, 'long'), 'x'.repeat(100));
  expect(await act('read', { path: 'long' }, { maxTextBytes: 99 })).toEqual({
    error: expect.stringContaining('has 100 bytes'),
  });
});

it('[OP-2] returns an error that the model reads for parameters of another action', async () => {
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

it('finds project files, but no link out of their directory', async () => {
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
