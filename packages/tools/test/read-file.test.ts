import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolContext } from '@chat-kernel/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MachinePaths } from '../src/machine-path.ts';
import { readFile } from '../src/read-file.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'read-file-'));
  mkdirSync(join(dir, 'secret'));
  writeFileSync(join(dir, 'secret/key'), 'hidden');
  writeFileSync(join(dir, 'a.txt'), 'one\ntwo\n');
  // The 2000th character is the first half of an emoji.
  writeFileSync(join(dir, 'long.txt'), `${'x'.repeat(1999)}😀😀`);
});
afterAll(() => rmSync(dir, { recursive: true }));

const read = (...paths: string[]) => {
  const context = {
    chat: { workdir: dir, workdir_on: 'server' },
    signal: new AbortController().signal,
  } as ToolContext;
  return readFile(new MachinePaths([join(dir, 'secret')])).run(
    { files: paths.map(path => ({ path })) },
    context,
  );
};

it('several files stand under their names', async () => {
  expect(await read('a.txt', 'nothing.txt')).toEqual({
    output: '== a.txt\none\ntwo\n\n== nothing.txt\nThere is no file nothing.txt.',
    is_error: false,
  });
});

it('a long line is cut, and never inside a character', async () => {
  const { output } = await read('long.txt');
  expect(output).toBe(`== long.txt\n${'x'.repeat(1999)} [4 more characters]`);
});

it('a path that no file can have leaves the other files of the call alone', async () => {
  const { output, is_error } = await read('a.txt', 'nul\0', 'x'.repeat(5000));
  expect(is_error).toBe(false);
  expect(output).toContain('one\ntwo');
  expect(output).toContain('(ENAMETOOLONG).');
});

it('what belongs to the kernel is out of reach, by whatever name', async () => {
  expect(await read('secret/key', 'secret/../secret', 'secret/none')).toMatchObject({
    output: expect.not.stringContaining('hidden'),
    is_error: true,
  });
});
