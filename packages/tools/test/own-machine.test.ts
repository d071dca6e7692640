/** Tests the kernel's machine with real files, links and /proc. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { OperationError } from '@chat-kernel/kernel';
import { describe, expect, it } from 'vitest';
import { ownMachine } from '../src/machine/own-machine.ts';
import { workplace } from './workplace.ts';

/** Creates a directory with the kernel's data in it: `data`, and in that `files` with uploaded ones. */
function machine() {
  const place = workplace();
  const data = join(place.path, 'data');
  const files = join(data, 'files');
  mkdirSync(files, { recursive: true });
  place.write('data/key', 'hidden');
  place.write('data/files/a', 'uploaded');
  const own = ownMachine(new MachinePaths([data], [files]));
  const bytes = (path: string, offset = 0, size = 1000) => own.readBytes({ path, offset, size });
  return { ...place, data, own, bytes, at: (name: string) => join(place.path, name) };
}
const MIB = 1024 * 1024;
const text = (data: Uint8Array) => Buffer.from(data).toString();

describe('[OP-12] bytes', () => {
  it('returns the bytes of the range, and an empty result past the end', async () => {
    const { write, bytes } = machine();
    const path = write('a.bin', Uint8Array.of(0, 1, 2, 255, 4));
    expect(await bytes(path, 1, 3)).toEqual({ total: 5, data: Buffer.of(1, 2, 255) });
    expect(await bytes(path, 3, 9)).toEqual({ total: 5, data: Buffer.of(255, 4) });
    for (const offset of [5, 99]) {
      expect(await bytes(path, offset)).toEqual({ total: 5, data: Buffer.alloc(0) });
    }
    expect(await bytes(write('empty', ''))).toEqual({ total: 0, data: Buffer.alloc(0) });
  });

  it('returns a piece of 4 MiB completely', async () => {
    const { write, bytes } = machine();
    const path = write('big', Buffer.alloc(5 * MIB, 'abcdefg'));
    const { total, data } = await bytes(path, 7, 4 * MIB);
    expect([total, data.length]).toEqual([5 * MIB, 4 * MIB]);
    expect(Buffer.from(data).equals(Buffer.alloc(4 * MIB, 'abcdefg'))).toBe(true);
  });

  it('follows links, and resolves ~ to home', async () => {
    const { write, bytes, at } = machine();
    write('a', 'x');
    symlinkSync('a', at('link'));
    expect(text((await bytes(at('link'))).data)).toBe('x');
    await expect(bytes('~')).rejects.toMatchObject({
      code: 'invalid_value',
      message: 'This is a directory.',
    });
    await expect(bytes(`~/none-${process.pid}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('returns not_found for a missing file', async () => {
    const { write, bytes, at } = machine();
    await expect(bytes(at('none/a'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(bytes(join(write('a', ''), 'b'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('forbids the files of the kernel by any name, existing or not', async () => {
    const { bytes, data, at } = machine();
    symlinkSync('data', at('around'));
    symlinkSync('data/key', at('link'));
    const names = [
      join(data, 'key'),
      join(data, 'none/at/all'),
      join(data, 'files/a'),
      data,
      at('around/key'),
      at('x/../link'),
      `/proc/self/root${data}/key`,
    ];
    for (const name of names) {
      const answer = await bytes(name).catch(error => error);
      expect([name, answer.code]).toEqual([name, 'forbidden_path']);
    }
  });

  it('forbids processes and devices, whose files expose memory and environments', async () => {
    const { bytes, at } = machine();
    symlinkSync('/proc', at('processes'));
    const names = [
      'self/environ',
      'thread-self/environ',
      `${process.pid}/none`,
      `${process.ppid}/mem`,
      'version',
    ];
    for (const path of [
      ...names.flatMap(name => [`/proc/${name}`, at(`processes/${name}`)]),
      '/sys/kernel/x',
    ]) {
      await expect(bytes(path)).rejects.toMatchObject({
        code: 'forbidden_path',
        message: 'This path is not allowed: it belongs to the system.',
      });
    }
  });

  it('forbids a file that the system does not let the kernel read', async () => {
    const { write, bytes } = machine();
    const path = write('closed', 'x');
    chmodSync(path, 0);
    const isRoot = process.geteuid?.() === 0;
    // Root may read everything, so the process changes its user for a moment.
    if (isRoot) process.seteuid?.(65534);
    const answer = await bytes(path).catch(error => error);
    if (isRoot) process.seteuid?.(0);
    expect(answer).toMatchObject({ code: 'forbidden_path', message: `The kernel may not read ${path}.` });
  });
});

describe('[OP-11] project files', () => {
  const NAMES = ['AGENTS.md', '.service/MEMORY.md'];

  it('are found in the directory and its parents, the nearest first', async () => {
    const { path, own, write, at } = machine();
    mkdirSync(at('a/b/.service'), { recursive: true });
    mkdirSync(at('a/AGENTS.md'));
    write('a/b/.service/MEMORY.md', '');
    write('a/b/AGENTS.md', '');
    write('AGENTS.md', '');
    symlinkSync('b', at('a/link'));
    const inside = (await own.listUp(at('a/link'), NAMES)).filter(({ dir }) => dir.startsWith(path));
    expect(inside).toEqual([
      { dir: at('a/b'), found: NAMES },
      { dir: path, found: ['AGENTS.md'] },
    ]);
    // Every system has this file, so the search continues up to the root.
    expect(await own.listUp(at('a'), ['etc/passwd'])).toEqual([{ dir: '/', found: ['etc/passwd'] }]);
  });

  it('are not found in the directories of the kernel, also through a link', async () => {
    const { own, write, data, at } = machine();
    write('data/AGENTS.md', '');
    symlinkSync('data/AGENTS.md', at('AGENTS.md'));
    expect((await own.listUp(data, NAMES)).filter(({ dir }) => dir.startsWith(at('')))).toEqual([]);
  });

  it('exclude a link out of their directory, and include one within it', async () => {
    const { path, own, write, at } = machine();
    mkdirSync(at('project'));
    write('secret', '');
    symlinkSync('../secret', at('project/AGENTS.md'));
    write('other.md', '');
    symlinkSync('other.md', at('AGENTS.md'));
    const inside = (await own.listUp(at('project'), NAMES)).filter(({ dir }) => dir.startsWith(path));
    expect(inside).toEqual([{ dir: path, found: ['AGENTS.md'] }]);
  });

  it('reject a path that is not a directory, with the reason', async () => {
    const { own, write, at } = machine();
    await expect(own.listUp('relative', NAMES)).rejects.toThrow('relative is not an absolute path.');
    await expect(own.listUp(write('a', ''), NAMES)).rejects.toThrow(`${at('a')} is not a directory.`);
    await expect(own.listUp(at('none'), NAMES)).rejects.toThrow(OperationError);
  });

  it('are read as text, a long one up to 256 KiB', async () => {
    const { own, write } = machine();
    expect(await own.read(write('a', 'é\n'))).toBe('é\n');
    const limit = 256 * 1024;
    expect(await own.read(write('fits', 'x'.repeat(limit)))).toBe('x'.repeat(limit));
    // The limit is in the middle of the last é.
    const long = await own.read(write('long', `x${'é'.repeat(limit / 2)}`));
    expect(long).toBe(`x${'é'.repeat(limit / 2 - 1)}\n[truncated]`);
  });

  it('exclude binary files, missing files and the files of the kernel', async () => {
    const { own, write, data, at } = machine();
    for (const [path, words] of [
      [write('b', 'a\0b'), `${at('b')} is a binary file.`],
      [at('none'), `There is no file ${at('none')}.`],
      [join(data, 'key'), 'This path is not allowed: it belongs to the kernel.'],
      [join(data, 'files/a'), 'This path is not allowed: it belongs to the kernel.'],
      ['relative', 'relative is not an absolute path.'],
    ] as const) {
      const error = await own.read(path).catch(error => error);
      expect(error).toBeInstanceOf(OperationError);
      expect(error.message).toBe(words);
    }
  });
});
