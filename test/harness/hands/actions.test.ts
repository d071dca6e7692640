/** Tests the actions of the test client on real files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../directory.ts';
import { perform } from './actions.ts';
import { Progress } from './progress.ts';

let directory: string;
let remove: () => void;
beforeEach(() => {
  ({ path: directory, remove } = temporaryDirectory());
});
afterEach(() => remove());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const at = (name: string) => join(directory, name);

const answerTo = (action: string, params: object) => {
  const { signal } = new AbortController();
  return perform(action, { ...params }, { directory, signal, progress: () => {} });
};

test('writes and reads text by relative and absolute paths', async () => {
  expect(await answerTo('write', { path: 'a/b.txt', content: 'Grüße' })).toEqual({ result: 'written' });
  expect(readFileSync(at('a/b.txt'), 'utf8')).toBe('Grüße');
  expect(await answerTo('read', { path: at('a/b.txt') })).toEqual({ result: 'Grüße' });
  expect(await answerTo('read', { path: 'a/b.txt' })).toEqual({ result: 'Grüße' });
});

test.each([
  ['read', { path: 'none' }, /^ENOENT/],
  ['read', { path: '.' }, /^EISDIR/],
  ['write', { path: '.', content: '' }, /^EISDIR/],
  ['read_bytes', { path: 'none', offset: 0, size: 1 }, /^ENOENT/],
  ['find_bytes', { path: 'none', data: base64('x'), offset: 0, limit: 1 }, /^ENOENT/],
  ['shell', { command: 'echo', workdir: 'none' }, /^ENOENT.*none/],
])('returns a disk error as an answer: %s %j', async (action, params, words) => {
  expect(await answerTo(action, params)).toEqual({ error: expect.stringMatching(words) });
});

test('answers an unknown action', async () => {
  expect(await answerTo('dance', {})).toEqual({ error: 'unknown op action' });
});

test.each([
  ['read', {}],
  ['read_bytes', { path: 'a', offset: 0 }],
  ['write_bytes', { path: 'a', offset: 0, data: 'no base64!', truncate: true }],
  ['list_up', { path: 'a', names: 'AGENTS.md' }],
])('fails with invalid parameters of an action: %s %j', async (action, params) => {
  await expect(answerTo(action, params)).rejects.toThrow();
});

test('posts snapshots in order, at most every 50 ms, and none after the end', async () => {
  vi.useFakeTimers();
  try {
    const posted: string[] = [];
    const progress = new Progress(async output => void posted.push(output));
    for (const output of ['a', 'b', 'c']) progress.show(output);
    await vi.advanceTimersByTimeAsync(49);
    expect(posted).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(posted).toEqual(['a', 'c']);
    await vi.advanceTimersByTimeAsync(500);
    progress.show('d');
    progress.show('e');
    await progress.end();
    await vi.advanceTimersByTimeAsync(500);
    expect(posted).toEqual(['a', 'c', 'd']);
  } finally {
    vi.useRealTimers();
  }
});

test('writes bytes at an offset, and keeps or truncates the rest', async () => {
  const write = (offset: number, text: string, truncate: boolean) =>
    answerTo('write_bytes', { path: 'new/b', offset, data: base64(text), truncate });
  expect(await write(0, 'abcdef', false)).toEqual({ result: { total: 6 } });
  expect(await write(1, 'XY', false)).toEqual({ result: { total: 6 } });
  expect(readFileSync(at('new/b'), 'utf8')).toBe('aXYdef');
  expect(await write(2, 'Z', true)).toEqual({ result: { total: 3 } });
  expect(await write(5, '!', false)).toEqual({ result: { total: 6 } });
  expect(readFileSync(at('new/b'), 'latin1')).toBe('aXZ\0\0!');
  expect(await write(0, '', true)).toEqual({ result: { total: 0 } });
});

test('reads bytes from an offset, fewer at the end of the file', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  writeFileSync(at('b'), bytes);
  const read = (offset: number, size: number) => answerTo('read_bytes', { path: 'b', offset, size });
  const piece = (from: number, to: number) => ({
    result: { total: 256, data: bytes.subarray(from, to).toString('base64') },
  });
  expect(await read(0, 256)).toEqual(piece(0, 256));
  expect(await read(200, 10)).toEqual(piece(200, 210));
  expect(await read(250, 100)).toEqual(piece(250, 256));
  expect(await read(300, 5)).toEqual({ result: { total: 256, data: '' } });
});

test('finds bytes from an offset, up to a limit', async () => {
  writeFileSync(at('b'), 'aaa-\0-aaa');
  const find = (text: string, offset = 0, limit = 100) =>
    answerTo('find_bytes', { path: 'b', data: base64(text), offset, limit });
  const found = (...offsets: number[]) => ({ result: { total: 9, offsets } });
  expect(await find('aa')).toEqual(found(0, 1, 6, 7));
  expect(await find('aa', 1)).toEqual(found(1, 6, 7));
  expect(await find('aa', 0, 3)).toEqual(found(0, 1, 6));
  expect(await find('\0')).toEqual(found(4));
  expect(await find('b')).toEqual(found());
  expect(await find('a', 100)).toEqual(found());
});

test('searches for names from a directory up to the root', async () => {
  mkdirSync(at('sub/.service'), { recursive: true });
  writeFileSync(at('sub/.service/MEMORY.md'), '');
  writeFileSync(at('AGENTS.md'), '');
  const names = ['AGENTS.md', '.service/MEMORY.md'];
  const answer = await answerTo('list_up', { path: 'sub', names });
  const { dirs } = (answer as { result: { dirs: { dir: string; found: string[] }[] } }).result;
  expect(dirs.slice(0, 3)).toEqual([
    { dir: at('sub'), found: ['.service/MEMORY.md'] },
    { dir: directory, found: ['AGENTS.md'] },
    { dir: dirname(directory), found: expect.any(Array) },
  ]);
  expect(dirs.at(-1)?.dir).toBe('/');
});
