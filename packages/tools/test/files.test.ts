/** Tests files that are written and edited, and the output for the model. */
import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { Refused } from '@chat-kernel/kernel';
import { describe, expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { workdir } from '../src/workdir.ts';
import { writeFile } from '../src/write-file.ts';
import { type Workplace, workplace } from './workplace.ts';

const OPEN = { kind: async () => 'none' as const, isMissing: async () => false };
const HELD = { kind: async () => 'bwrap' as const, isMissing: async () => false };

type Asked = { path: string; target?: string };

const write = (place: Workplace, path: string, content: string, forbidden: string[] = []) =>
  writeFile({ paths: new MachinePaths(forbidden), sandbox: OPEN }).run({ path, content }, place.context);
const edit = (place: Workplace, old: string, next: string, more: object = {}, forbidden: string[] = []) =>
  editFile({ paths: new MachinePaths(forbidden), sandbox: OPEN }).run(
    { path: 'a.txt', old, new: next, ...more },
    place.context,
  );

describe('write_file', () => {
  it('creates missing directories, and reports the size and whether the file is new', async () => {
    const place = workplace();
    expect(await write(place, 'b/c/d.txt', 'é\n')).toEqual({ output: 'Created b/c/d.txt (3 bytes).' });
    expect(await write(place, 'b/c/d.txt', '')).toEqual({
      output: 'Replaced b/c/d.txt (0 bytes, 3 bytes before).',
    });
    expect(place.read('b/c/d.txt')).toBe('');
    expect(readdirSync(join(place.path, 'b/c'))).toEqual(['d.txt']);
  });

  it('keeps the mode of a file, and follows a link without replacing it', async () => {
    const place = workplace();
    const path = place.write('run.sh', 'old');
    chmodSync(path, 0o751);
    symlinkSync('run.sh', join(place.path, 'link'));
    await write(place, 'link', 'new');
    expect(place.read('run.sh')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o751);
    expect(readlinkSync(join(place.path, 'link'))).toBe('run.sh');
  });

  it('rejects a path that is not a file', async () => {
    const place = workplace();
    mkdirSync(join(place.path, 'dir'));
    place.write('file', '');
    expect(await write(place, 'dir', 'x')).toEqual({
      output: 'dir is a directory. Give the path of a file.',
      is_error: true,
    });
    expect(await write(place, 'file/x', 'x')).toMatchObject({
      output: expect.stringMatching(/not a directory/),
      is_error: true,
    });
  });

  it('does not reach the files of the kernel by any name', async () => {
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
        'This path is not allowed: it belongs to the kernel.',
      ]);
    }
    expect([readdirSync(data), place.read('settings.yaml')]).toEqual([['deep'], 'mine']);
    // A name that only begins like a forbidden path is allowed.
    expect(await write(place, 'data2', 'x', forbidden)).toMatchObject({ output: 'Created data2 (1 byte).' });
  });
});

describe('write_file and edit_file', () => {
  const refused = 'This path is not allowed: it belongs to the kernel.';

  it('[WHO-7] do not reach missing settings files in any spelling', async () => {
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
    // A broken link is replaced, and nothing is written through it.
    await write(place, 'dangling', 'x', forbidden);
    expect(readdirSync(place.path).sort()).toEqual(['.config', 'around', 'dangling']);
    // If the path has become a link, the target of the link counts.
    symlinkSync('elsewhere', join(place.path, '.config/chat-kernel'));
    expect((await write(place, '.config/elsewhere/config.yaml', 'x', forbidden)).output).toBe(refused);
  });

  it('[CONSENT-6] do not complete or configure a bare repository', async () => {
    const place = workplace();
    const refusal = (name: string) => ({
      output: `${join(place.path, name)} would belong to a bare git repository in ${place.path}, in which git runs what its files say. Only the user can write there.`,
      is_error: true,
    });
    for (const name of ['config', 'objects/info/x', 'HEAD']) {
      expect(await write(place, name, 'x')).toMatchObject({ output: expect.stringMatching(/^Created/) });
    }
    expect(await write(place, 'refs/heads/main', 'x')).toEqual(refusal('refs/heads/main'));
    mkdirSync(join(place.path, 'refs'));
    for (const name of ['config', 'HEAD', 'hooks/post-commit']) {
      expect(await write(place, name, 'x')).toEqual(refusal(name));
    }
    expect(await write(place, 'src/config', 'x')).toMatchObject({
      output: expect.stringMatching(/^Created/),
    });
  });

  it('[WHO-7] write only in the working directory in the sandbox', async () => {
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
          output: `${path} is outside of the working directory ${place.path}. The sandbox allows writing only there.`,
          is_error: true,
        });
      }
    }
    expect([outside.read('a.txt'), readdirSync(outside.path)]).toEqual(['one', ['a.txt']]);
    expect((await put('data/x')).output).toBe(refused);
    expect((await put('.')).output).toBe('. is a directory. Give the path of a file.');
    expect((await put('b/c/d.txt')).output).toBe('Created b/c/d.txt (1 byte).');
    expect((await put('b/c')).output).toBe('b/c is a directory. Give the path of a file.');
    place.write('b/c/e.txt', 'one');
    expect((await change('b/c/e.txt')).output).toBe('Edited b/c/e.txt, line 1.');
    expect((await change('n/e.txt')).output).toBe('There is no file n/e.txt.');
    expect([place.read('b/c/d.txt'), place.read('b/c/e.txt')]).toEqual(['x', 'two']);
  });

  it('[CONSENT-6] write nothing if a command replaces the directory while the owner is asked', async () => {
    const place = workplace();
    mkdirSync(join(place.path, 'd'));
    mkdirSync(join(place.path, '.git'));
    place.write('.git/config', 'harmless');
    const asked: string[] = [];
    const consent = async ({ path }: Asked) => {
      asked.push(path);
      rmdirSync(join(place.path, 'd'));
      symlinkSync('.git', join(place.path, 'd'));
      return { by_prefix: false };
    };
    const context = { ...place.context, consent } as unknown as typeof place.context;
    const rules = { paths: new MachinePaths([]), sandbox: HELD };
    const answer = await writeFile(rules).run({ path: 'd/config', content: '[core]' }, context);
    expect(asked).toEqual([join(place.path, 'd/config')]);
    expect(answer).toMatchObject({ is_error: true });
    expect(place.read('.git/config')).toBe('harmless');
  });

  it('[CONSENT-8] work in no directory that a command has replaced by a link', async () => {
    const place = workplace();
    const outside = workplace();
    outside.write('a.txt', 'one');
    symlinkSync(outside.path, join(place.path, 'd'));
    const workdir = join(place.path, 'd');
    const inLink = {
      ...place.context,
      chat: { workdir, workdir_on: 'server' },
    } as unknown as typeof place.context;
    const rules = { paths: new MachinePaths([]), sandbox: HELD };
    const refusal = {
      output: `The working directory ${workdir} leads through the link ${workdir}, which a command may have created. If it is the right one, the user can set ${outside.path}.`,
      is_error: true,
    };
    expect(await writeFile(rules).run({ path: 'a.txt', content: 'x' }, inLink)).toEqual(refusal);
    expect(await editFile(rules).run({ path: 'a.txt', old: 'one', new: 'x' }, inLink)).toEqual(refusal);
    await expect(rules.paths.isElsewhere(join(outside.path, 'a.txt'), inLink.chat)).rejects.toThrow(
      refusal.output,
    );
    expect(outside.read('a.txt')).toBe('one');
  });

  it('[CONSENT-8] write in the scratch directory of a chat without a working directory', async () => {
    const place = workplace();
    const scratch = join(place.path, 'data/scratch');
    const rules = { paths: new MachinePaths([join(place.path, 'data')], [], { scratch }), sandbox: HELD };
    const inChat = (id: string) =>
      ({ ...place.context, chat: { id, workdir: null, workdir_on: 'server' } }) as typeof place.context;
    const put = async (path: string, id = 'one') =>
      (await writeFile(rules).run({ path, content: 'x' }, inChat(id))).output;
    expect(await put('sub/a.txt')).toBe('Created sub/a.txt (1 byte).');
    expect(place.read('data/scratch/one/sub/a.txt')).toBe('x');
    expect(await put(join(scratch, 'one/b.txt'))).toMatch(/^Created /);
    expect(await put(`${place.path}/x`)).toBe(
      `${place.path}/x is outside of the working directory ${join(scratch, 'one')}. The sandbox allows writing only there.`,
    );
    // Other chats and the kernel have their own files.
    for (const path of [join(scratch, 'one/a.txt'), '../one/a.txt', join(place.path, 'data/key')]) {
      expect(await put(path, 'two')).toBe('This path is not allowed: it belongs to the kernel.');
    }
    await rules.paths.removeScratch('one');
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('[CONSENT-8] let a model set a working directory outside of the current one only with consent', async () => {
    const place = workplace();
    mkdirSync(join(place.path, 'sub'));
    const set: (string | null)[] = [];
    const asked: unknown[] = [];
    const context = {
      ...place.context,
      setWorkdir: async (path: string | null) => void set.push(path),
      consent: async ({ isNewWorkdir = false, path, target }: { isNewWorkdir?: boolean } & Asked) => {
        if (!isNewWorkdir) return { by_prefix: false };
        asked.push([path, target]);
        throw new Refused('No.');
      },
    } as typeof place.context;
    const nowhere = {
      ...context,
      chat: { id: 'one', workdir: null, workdir_on: 'server' },
    } as typeof context;
    const paths = new MachinePaths([], [], { scratch: join(place.path, 'scratch') });
    const tool = workdir({ paths });
    for (const [path, where] of [
      ['/', context],
      [place.path, nowhere],
    ] as const) {
      expect(await tool.run({ path }, where)).toEqual({ output: 'No.', is_error: true });
    }
    expect(asked).toEqual([
      ['/', '/'],
      [place.path, `${place.path}/`],
    ]);
    await tool.run({ path: 'sub' }, context);
    await tool.run({ path: null }, context);
    expect(set).toEqual([join(place.path, 'sub'), null]);
  });

  it('[CONSENT-8] let a model set a working directory on the machine of a client like on that of the kernel', async () => {
    const place = workplace();
    const set: (string | null)[] = [];
    const asked: unknown[] = [];
    const on = (present: string | null) =>
      ({
        ...place.context,
        hands: {},
        chat: { id: 'one', workdir: present, workdir_on: 'client' },
        setWorkdir: async (path: string | null) => void set.push(path),
        consent: async ({ isNewWorkdir = false, target }: { isNewWorkdir?: boolean } & Asked) => {
          if (isNewWorkdir) asked.push(target);
          return { by_prefix: false };
        },
      }) as unknown as typeof place.context;
    const tool = workdir({ paths: new MachinePaths([]) });
    for (const [present, path] of [
      ['/home/ann/code', 'sub'],
      ['/home/ann/code', '/home/ann/code/other'],
      ['/home/ann/code', null],
      ['/home/ann/code', '..'],
      ['/home/ann/code', '/'],
      [null, '~/code'],
      ['C:\\code', 'D:\\x'],
    ] as const)
      await tool.run({ path }, on(present));
    expect(set).toEqual([
      '/home/ann/code/sub',
      '/home/ann/code/other',
      null,
      '/home/ann',
      '/',
      '~/code',
      'D:\\x',
    ]);
    expect(asked).toEqual(['client:/home/ann/', 'client:/', 'client:~/code/', 'client:D:\\x/']);
    expect((await tool.run({ path: '/home/ann/code/../..' }, on('/home/ann/code'))).is_error).toBe(true);
  });
});

describe('edit_file', () => {
  it('replaces the only occurrence, with any characters', async () => {
    const place = workplace();
    place.write('a.txt', '\ufeffone\ntwo $x\nthree\n');
    expect(await edit(place, 'two $x', "$& $' $$")).toEqual({ output: 'Edited a.txt, line 2.' });
    expect(place.read('a.txt')).toBe("\ufeffone\n$& $' $$\nthree\n");
  });

  it('changes nothing for several occurrences, unless all are requested', async () => {
    const place = workplace();
    place.write('a.txt', 'x\ny\nx x\n');
    expect(await edit(place, 'x', 'z')).toEqual({
      output: '`old` is in a.txt 3 times, lines 1, 3, 3. Include more surrounding text, or set `all`.',
      is_error: true,
    });
    expect(place.read('a.txt')).toBe('x\ny\nx x\n');
    expect(await edit(place, 'x', '', { all: true })).toEqual({ output: 'Edited a.txt, lines 1, 3, 3.' });
    expect(place.read('a.txt')).toBe('\ny\n \n');
  });

  it('returns the most similar lines for a missing text', async () => {
    const place = workplace();
    place.write('a.txt', 'alpha\n\tconst total = price * 2;\nomega\n');
    const { output, is_error } = await edit(place, '  const total = price * 2;', 'x');
    expect([output, is_error]).toEqual([
      '`old` is not in a.txt. Nearest lines:\n2: \tconst total = price * 2;\n' +
        'Give `old` exactly as in the file, including white space.',
      true,
    ]);
    expect((await edit(place, 'zzzz', 'x')).output).toMatch(
      /The file contains nothing similar\. Read the file first\.$/,
    );
  });

  it('keeps line endings of Windows', async () => {
    const place = workplace();
    place.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
    expect(await edit(place, 'one\ntwo', '1\n2\n2½')).toEqual({ output: 'Edited a.txt, line 1.' });
    expect(place.read('a.txt')).toBe('1\r\n2\r\n2½\r\nthree\r\n');
    place.write('a.txt', 'one\r\ntwo\nthree\n');
    await edit(place, 'two\nthree', '2\n3');
    await edit(place, 'one\n2', '1\n2');
    expect(place.read('a.txt')).toBe('1\r\n2\n3\n');
  });

  it('rejects binary files, empty edits, and the files of the kernel', async () => {
    const place = workplace();
    place.write('a.txt', new Uint8Array([97, 0, 98]));
    expect((await edit(place, 'a', 'b')).output).toMatch(/binary/);
    place.write('a.txt', new Uint8Array([97, 0xff, 98]));
    expect((await edit(place, 'a', 'b')).output).toMatch(/binary/);
    expect((await edit(place, 'a', 'a')).output).toMatch(/identical/);
    expect((await edit(place, '', 'a')).output).toMatch(/does not match the schema/);
    expect((await edit(place, 'a', 'b', {}, [join(place.path, 'a.txt')])).output).toMatch(/not allowed/);
    expect((await edit(place, 'a', 'b', { path: 'none' })).output).toBe('There is no file none.');
  });
});
