/** Files that are written and edited, and the output for the model. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { MachinePaths } from '../src/machine/machine-path.ts';
import { workdir } from '../src/workdir.ts';
import { writeFile } from '../src/write-file.ts';
import { type Workplace, workplace } from './workplace.ts';

const OPEN = { kind: async () => 'none' as const };
const HELD = { kind: async () => 'bwrap' as const };

const write = (place: Workplace, path: string, content: string, forbidden: string[] = []) =>
  writeFile({ paths: new MachinePaths(forbidden), sandbox: OPEN }).run({ path, content }, place.context);
const edit = (place: Workplace, old: string, next: string, more: object = {}, forbidden: string[] = []) =>
  editFile({ paths: new MachinePaths(forbidden), sandbox: OPEN }).run(
    { path: 'a.txt', old, new: next, ...more },
    place.context,
  );

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
    for (const way of [...ways, `/proc/self/root${data}/x`]) {
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

describe('write_file and edit_file', () => {
  const refused = 'This path is out of reach: it belongs to the kernel.';

  it('[WHO-7] places of settings that do not exist yet are out of reach, however they are written', async () => {
    const place = workplace();
    const forbidden = [join(place.path, '.config/chat-kernel'), join(place.path, 'none/k.yaml')];
    symlinkSync('.config', join(place.path, 'around'));
    symlinkSync('none/k.yaml', join(place.path, 'dangling'));
    const ways = [
      '.config/chat-kernel/config.yaml',
      '.config/x/../chat-kernel/config.yaml',
      '.config/Chat-Kernel/config.yaml',
      'around/chat-kernel/config.yaml',
      'none/k.yaml',
    ];
    for (const made of [false, true]) {
      if (made) mkdirSync(join(place.path, '.config/elsewhere'), { recursive: true });
      for (const way of ways.filter(way => made || !way.startsWith('around'))) {
        expect([way, (await write(place, way, 'x', forbidden)).output]).toEqual([way, refused]);
      }
    }
    // A link that leads nowhere is replaced, and nothing is written through it.
    await write(place, 'dangling', 'x', forbidden);
    expect(readdirSync(place.path).sort()).toEqual(['.config', 'around', 'dangling']);
    // Where the place has become a link, what it leads to is the place.
    symlinkSync('elsewhere', join(place.path, '.config/chat-kernel'));
    expect((await write(place, '.config/elsewhere/config.yaml', 'x', forbidden)).output).toBe(refused);
  });

  it('[WHO-7] in the sandbox they write in the working directory alone', async () => {
    const place = workplace();
    const outside = workplace();
    outside.write('a.txt', 'one');
    symlinkSync(outside.path, join(place.path, 'link'));
    symlinkSync(join(outside.path, 'a.txt'), join(place.path, 'a.txt'));
    const rules = { paths: new MachinePaths([join(place.path, 'data')]), sandbox: HELD };
    const put = (path: string) => writeFile(rules).run({ path, content: 'x' }, place.context);
    const change = (path: string) => editFile(rules).run({ path, old: 'one', new: 'two' }, place.context);
    for (const path of [join(outside.path, 'a.txt'), '../a.txt', 'link/a.txt', 'a.txt', '~/.bashrc', '/a']) {
      for (const answer of [await put(path), await change(path)]) {
        expect(answer).toEqual({
          output: `${path} is outside of the working directory ${place.path}: in the sandbox nothing else can be written.`,
          is_error: true,
        });
      }
    }
    expect([outside.read('a.txt'), readdirSync(outside.path)]).toEqual(['one', ['a.txt']]);
    expect((await put('data/x')).output).toBe(refused);
    expect((await put('.')).output).toBe('. is a directory: give the path of a file.');
    expect((await put('b/c/d.txt')).output).toBe('Created b/c/d.txt (1 byte).');
    expect((await put('b/c')).output).toBe('b/c is a directory: give the path of a file.');
    place.write('b/c/e.txt', 'one');
    expect((await change('b/c/e.txt')).output).toBe('Edited b/c/e.txt, line 1.');
    expect((await change('n/e.txt')).output).toBe('There is no file n/e.txt.');
    expect([place.read('b/c/d.txt'), place.read('b/c/e.txt')]).toEqual(['x', 'two']);
    const nowhere = {
      ...place.context,
      chat: { workdir: null, workdir_on: 'server' },
    } as typeof place.context;
    expect((await writeFile(rules).run({ path: `${place.path}/x`, content: '' }, nowhere)).output).toMatch(
      /^This chat has no working directory, and in the sandbox .*: ask the user to set one\.$/,
    );
  });

  it('[WHO-7] in the sandbox a model sets no working directory but one inside of it', async () => {
    const place = workplace();
    mkdirSync(join(place.path, 'sub'));
    const set: (string | null)[] = [];
    const context = { ...place.context, setWorkdir: async (path: string | null) => void set.push(path) };
    const nowhere = { ...context, chat: { workdir: null, workdir_on: 'server' } } as typeof context;
    const tool = workdir({ paths: new MachinePaths([]), sandbox: HELD });
    const only =
      'In the sandbox only a directory inside of the present working directory can be set; the user can set others.';
    for (const [path, where] of [
      ['..', context],
      ['/', context],
      [place.path, nowhere],
    ] as const) {
      expect(await tool.run({ path }, where)).toEqual({ output: only, is_error: true });
    }
    await tool.run({ path: 'sub' }, context);
    await tool.run({ path: null }, context);
    expect(set).toEqual([join(place.path, 'sub'), null]);
  });

  it('[WHO-7] a directory that becomes a link meanwhile is not followed', async () => {
    const place = workplace();
    const outside = workplace();
    const rules = { paths: new MachinePaths([]), sandbox: HELD };
    const swap = spawn('sh', [
      '-c',
      `cd ${place.path} && while :; do mkdir d; mv d e; ln -s ${outside.path} d; rm -rf d e; done 2>/dev/null`,
    ]);
    try {
      for (let round = 0; round < 100; round += 1) {
        await writeFile(rules).run({ path: 'd/x', content: 'x' }, place.context);
      }
    } finally {
      swap.kill('SIGKILL');
      await once(swap, 'close');
    }
    expect(readdirSync(outside.path)).toEqual([]);
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
