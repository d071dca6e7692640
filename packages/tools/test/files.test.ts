/** Files that are written and edited, and the output for the model. */
import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { MachinePaths } from '../src/machine/machine-path.ts';
import { writeFile } from '../src/write-file.ts';
import { type Workplace, workplace } from './workplace.ts';

const write = (place: Workplace, path: string, content: string, forbidden: string[] = []) =>
  writeFile(new MachinePaths(forbidden)).run({ path, content }, place.context);
const edit = (place: Workplace, old: string, next: string, more: object = {}, forbidden: string[] = []) =>
  editFile(new MachinePaths(forbidden)).run({ path: 'a.txt', old, new: next, ...more }, place.context);

describe('write_file', () => {
  it('makes the directories on the way, and says how much was written and whether it was new', async () => {
    const place = workplace();
    expect(await write(place, 'b/c/d.txt', 'é\n')).toEqual({ output: 'Created b/c/d.txt (3 bytes).' });
    expect(await write(place, 'b/c/d.txt', '')).toEqual({
      output: 'Replaced b/c/d.txt (0 bytes, 3 bytes before).',
    });
    expect(place.read('b/c/d.txt')).toBe('');
    expect(readdirSync(join(place.path, 'b/c'))).toEqual(['d.txt']);
  });

  it('keeps the mode of a file, and a link stays a link', async () => {
    const place = workplace();
    const path = place.write('run.sh', 'old');
    chmodSync(path, 0o751);
    symlinkSync('run.sh', join(place.path, 'link'));
    await write(place, 'link', 'new');
    expect(place.read('run.sh')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o751);
    expect(readlinkSync(join(place.path, 'link'))).toBe('run.sh');
  });

  it('refuses a path that is no file', async () => {
    const place = workplace();
    mkdirSync(join(place.path, 'dir'));
    place.write('file', '');
    expect(await write(place, 'dir', 'x')).toEqual({
      output: 'dir is a directory: give the path of a file.',
      is_error: true,
    });
    expect(await write(place, 'file/x', 'x')).toMatchObject({
      output: expect.stringMatching(/not a directory/),
      is_error: true,
    });
  });

  it('the kernel’s files are out of reach, by whatever name', async () => {
    const place = workplace();
    const data = join(place.path, 'data');
    mkdirSync(join(data, 'deep'), { recursive: true });
    place.write('settings.yaml', 'mine');
    symlinkSync('data', join(place.path, 'around'));
    symlinkSync('settings.yaml', join(place.path, 'link'));
    const forbidden = [data, join(place.path, 'settings.yaml')];
    const ways = [
      'data/x',
      'data/new/x',
      'around/x',
      'around/deep/new/x',
      'x/../data/x',
      'link',
      'settings.yaml',
    ];
    for (const way of [...ways, `/proc/self/root${data}/x`, '/proc/self/environ']) {
      expect([way, (await write(place, way, 'x', forbidden)).output]).toEqual([
        way,
        'This path is out of reach: it belongs to the kernel.',
      ]);
    }
    expect([readdirSync(data), place.read('settings.yaml')]).toEqual([['deep'], 'mine']);
    // A name that only begins like a forbidden path is allowed.
    expect(await write(place, 'data2', 'x', forbidden)).toMatchObject({ output: 'Created data2 (1 byte).' });
  });
});

describe('edit_file', () => {
  it('replaces the only place, whatever characters it has', async () => {
    const place = workplace();
    place.write('a.txt', '\ufeffone\ntwo $x\nthree\n');
    expect(await edit(place, 'two $x', "$& $' $$")).toEqual({ output: 'Edited a.txt, line 2.' });
    expect(place.read('a.txt')).toBe("\ufeffone\n$& $' $$\nthree\n");
  });

  it('with several places it changes nothing, unless all are meant', async () => {
    const place = workplace();
    place.write('a.txt', 'x\ny\nx x\n');
    expect(await edit(place, 'x', 'z')).toEqual({
      output:
        '`old` is in a.txt 3 times, lines 1, 3, 3: give more of what stands around the one you mean, or set `all`.',
      is_error: true,
    });
    expect(place.read('a.txt')).toBe('x\ny\nx x\n');
    expect(await edit(place, 'x', '', { all: true })).toEqual({ output: 'Edited a.txt, lines 1, 3, 3.' });
    expect(place.read('a.txt')).toBe('\ny\n \n');
  });

  it('a text that is not there is answered with the lines most like it', async () => {
    const place = workplace();
    place.write('a.txt', 'alpha\n\tconst total = price * 2;\nomega\n');
    const { output, is_error } = await edit(place, '  const total = price * 2;', 'x');
    expect([output, is_error]).toEqual([
      '`old` is not in a.txt. Nearest lines:\n2: \tconst total = price * 2;\n' +
        'Give `old` exactly as it stands there, white space included.',
      true,
    ]);
    expect((await edit(place, 'zzzz', 'x')).output).toMatch(
      /Nothing in it is like it: read the file first\.$/,
    );
  });

  it('line endings of Windows stay as they are', async () => {
    const place = workplace();
    place.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
    expect(await edit(place, 'one\ntwo', '1\n2\n2½')).toEqual({ output: 'Edited a.txt, line 1.' });
    expect(place.read('a.txt')).toBe('1\r\n2\r\n2½\r\nthree\r\n');
    place.write('a.txt', 'one\r\ntwo\nthree\n');
    await edit(place, 'two\nthree', '2\n3');
    await edit(place, 'one\n2', '1\n2');
    expect(place.read('a.txt')).toBe('1\r\n2\n3\n');
  });

  it('refuses binary files, edits of nothing, and the kernel’s files', async () => {
    const place = workplace();
    place.write('a.txt', new Uint8Array([97, 0, 98]));
    expect((await edit(place, 'a', 'b')).output).toMatch(/binary/);
    place.write('a.txt', new Uint8Array([97, 0xff, 98]));
    expect((await edit(place, 'a', 'b')).output).toMatch(/binary/);
    expect((await edit(place, 'a', 'a')).output).toMatch(/the same/);
    expect((await edit(place, '', 'a')).output).toMatch(/does not fit the schema/);
    expect((await edit(place, 'a', 'b', {}, [join(place.path, 'a.txt')])).output).toMatch(/out of reach/);
    expect((await edit(place, 'a', 'b', { path: 'none' })).output).toBe('There is no file none.');
  });
});
