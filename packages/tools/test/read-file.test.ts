import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import type { ToolContext } from '@chat-kernel/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
    hands: null,
    turn_context: { master: true, trusted: true },
    consent: async () => ({ by_prefix: false }),
    signal: new AbortController().signal,
  } as unknown as ToolContext;
  return readFile(new MachinePaths([join(dir, 'secret')])).run(
    { files: paths.map(path => ({ path })) },
    context,
  );
};

it('returns several files under their names', async () => {
  expect(await read('a.txt', 'nothing.txt')).toEqual({
    output: '== a.txt\none\ntwo\n\n== nothing.txt\nThere is no file nothing.txt.',
    is_error: false,
  });
});

it('truncates a long line between characters', async () => {
  const { output } = await read('long.txt');
  expect(output).toBe(`== long.txt\n${'x'.repeat(1999)} [4 more characters]`);
});

it('continues with the other files of the call after an impossible path', async () => {
  const { output, is_error } = await read('a.txt', 'nul\0', 'x'.repeat(5000));
  expect(is_error).toBe(false);
  expect(output).toContain('one\ntwo');
  expect(output).toContain('(ENAMETOOLONG).');
});

it('returns a part of a long file, and how to read the rest', async () => {
  writeFileSync(join(dir, 'many.txt'), Array.from({ length: 2001 }, (_, line) => `${line + 1}\r\n`).join(''));
  const { output } = await read('many.txt');
  expect(output.split('\n').slice(-2)).toEqual([
    '2000',
    '[lines 1 to 2000 of 2001; continue with offset 2001]',
  ]);
});

it('[BT-1] returns the entries of a directory, and the size of a binary file', async () => {
  mkdirSync(join(dir, 'sub/deep'), { recursive: true });
  writeFileSync(join(dir, 'sub/b'), Uint8Array.of(1, 0, 2));
  writeFileSync(join(dir, 'sub/empty'), '');
  expect(await read('sub', 'sub/b', 'sub/empty')).toEqual({
    output:
      '== sub\n[a directory]\nb\ndeep/\nempty\n\n== sub/b\nThis is a binary file of 3 B.\n\n' +
      '== sub/empty\n[the file is empty]',
    is_error: false,
  });
});

it('[BT-1] reads the beginning of a huge file, and reports that the rest is unavailable', async () => {
  const line = `${'x'.repeat(99)}\n`;
  writeFileSync(join(dir, 'huge.txt'), line.repeat(220_000));
  const { output } = await read('huge.txt');
  // The output has as many whole lines as fit.
  expect(output.length).toBeLessThan(151_000);
  expect(output).toContain('\n[lines 1 to 1500 of 209716; continue with offset 1501]\n');
  expect(output).toMatch(/\[only the first 21\.0 MB of 22\.0 MB can be read\]$/);
});

it('does not read process files of the system', async () => {
  for (const path of ['/proc/version', `/proc/${process.ppid}/mem`, '/sys']) {
    expect((await read(path)).output).toBe(`== ${path}\nThis path is not allowed: it belongs to the system.`);
  }
});

it('does not read the files of the kernel by any name', async () => {
  expect(await read('secret/key', 'secret/../secret', 'secret/none')).toMatchObject({
    output: expect.not.stringContaining('hidden'),
    is_error: true,
  });
});
