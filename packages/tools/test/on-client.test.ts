/** Tests tools on a client's machine: the same texts as on the kernel's, without access to the kernel's disk. */
import { join } from 'node:path';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { Unanswered } from '@chat-kernel/kernel';
import { describe, expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { readFile } from '../src/read-file.ts';
import { shell } from '../src/shell.ts';
import { workdir } from '../src/workdir.ts';
import { writeFile } from '../src/write-file.ts';
import { type ClientMachine, clientMachine } from './client-machine.ts';
import { type Workplace, workplace } from './workplace.ts';

const paths = new MachinePaths([]);
const sandbox = new Sandbox({ sandbox: 'none', network: 'on' }, paths);
const read = ({ context }: Workplace, ...names: string[]) =>
  readFile(paths).run({ files: names.map(path => ({ path })) }, context);
const write = ({ context }: Workplace, path: string, content: string) =>
  writeFile({ paths, sandbox }).run({ path, content }, context);
const edit = ({ context }: Workplace, old: string, next: string, more: object = {}) =>
  editFile({ paths, sandbox }).run({ path: 'a.txt', old, new: next, ...more }, context);
const commands = shell({
  paths,
  sandbox,
  timeout_secs: 20,
  environment: { PATH: process.env.PATH },
});
const sh = ({ context }: Workplace, ...lines: string[]) => commands.run({ commands: lines }, context);

describe('read_file', () => {
  it('[OP-1] [OP-13] requests files one after the other, and continues after a failed one', async () => {
    const machine = clientMachine();
    machine.write('a.txt', 'one\ntwo\n');
    machine.write('empty', '');
    machine.write('b', 'x\0y');
    machine.refuse('read: secret');
    expect(await read(machine, 'a.txt', 'secret', 'none', 'empty', 'b')).toEqual({
      output:
        '== a.txt\none\ntwo\n\n== secret\nThe user declined this operation.\n\n== none\nno such file: none\n\n' +
        '== empty\n[the file is empty]\n\n== b\nThis is a binary file of 3 B.',
      is_error: false,
    });
    expect(machine.asked).toEqual(['a.txt', 'secret', 'none', 'empty', 'b'].map(name => `read: ${name}`));
    expect(machine.most()).toBe(1);
    expect(await read(machine, 'secret', 'none')).toMatchObject({ is_error: true });
  });

  it('selects and truncates lines as on the machine of the kernel', async () => {
    const machine = clientMachine();
    const here = workplace();
    const text = `one\r\n${'x'.repeat(1999)}😀😀\nthree\nfour\n`;
    for (const place of [machine, here]) place.write('a.txt', text);
    const files = [
      { path: 'a.txt', offset: 2, limit: 2 },
      { path: 'a.txt', offset: 9 },
    ];
    const there = await readFile(paths).run({ files }, machine.context);
    expect(there).toEqual(await readFile(paths).run({ files }, here.context));
    expect(there.output).toContain('[lines 2 to 3 of 4; continue with offset 4]');
    expect(there.output).toContain(`\n${'x'.repeat(1999)} [4 more characters]\n`);
  });

  it('truncates the output of a call to a size for models', async () => {
    const machine = clientMachine();
    machine.write('a.txt', `${'x'.repeat(1000)}\n`.repeat(150));
    const { output } = await read(machine, 'a.txt', 'a.txt');
    expect(output.length).toBeLessThan(200_200);
    expect(output).toMatch(/\[truncated: read this file in a separate call\]$/);
  });

  it('[FILE-4] reads uploaded files from the kernel, and no other files of it', async () => {
    const machine = clientMachine();
    const kernel = workplace();
    kernel.write('key', 'hidden');
    const file = kernel.write('upload', 'uploaded');
    const tool = readFile(new MachinePaths([kernel.path], [kernel.path]));
    const gone = join(kernel.path, 'gone');
    const files = [file, gone].map(path => ({ path }));
    expect((await tool.run({ files }, machine.context)).output).toBe(
      `== ${file}\nuploaded\n\n== ${gone}\nThere is no file ${gone}.`,
    );
    expect(machine.asked).toEqual([]);
    const strict = readFile(new MachinePaths([kernel.path], [join(kernel.path, 'files')]));
    await strict.run({ files: [{ path: join(kernel.path, 'files/../key') }] }, machine.context);
    expect(machine.asked).toEqual([`read: ${join(kernel.path, 'files/../key')}`]);
  });
});

describe('write_file', () => {
  it('[OP-1] reports the written size, and the response of the client on one line', async () => {
    const silent = clientMachine();
    expect(await write(silent, 'b/c.txt', 'é\n')).toEqual({ output: 'Wrote b/c.txt (3 bytes).' });
    expect(silent.read('b/c.txt')).toBe('é\n');
    const { output } = await write(clientMachine({ said: ` saved\n${'x'.repeat(1000)}` }), 'a', '');
    expect(output).toBe(`Wrote a (0 bytes).\nMessage from the client: saved ${'x'.repeat(294)}`);
  });

  it('[OP-5] returns a denial as an error with the text of the denial', async () => {
    const machine = clientMachine();
    machine.refuse('write: a.txt', 'not today');
    expect(await write(machine, 'a.txt', 'x')).toEqual({ output: 'not today', is_error: true });
  });
});

describe('edit_file', () => {
  it('[OP-1] reads and writes on the machine of the client, with its line endings', async () => {
    const machine = clientMachine({ said: 'ok' });
    machine.write('a.txt', 'one\r\ntwo $x\r\n');
    expect(await edit(machine, 'one\ntwo $x', "1\n$'")).toEqual({
      output: 'Edited a.txt, line 1.\nMessage from the client: ok',
    });
    expect(machine.read('a.txt')).toBe("1\r\n$'\r\n");
    expect(machine.asked).toEqual(['read: a.txt', 'write: a.txt']);
  });

  it('returns the same errors as on the machine of the kernel, and then writes nothing', async () => {
    const machine = clientMachine();
    const here = workplace();
    for (const place of [machine, here]) place.write('a.txt', 'x\nconst a = 1;\nx\n');
    for (const [old, next] of [
      ['x', 'y'],
      ['const  a = 1;', ''],
      ['zzzz', ''],
      ['x', 'x'],
    ] as const) {
      expect(await edit(machine, old, next)).toEqual(await edit(here, old, next));
    }
    expect(await edit(machine, 'x', 'y')).toMatchObject({ output: expect.stringMatching(/2 times/) });
    expect(machine.asked.filter(asked => asked.startsWith('write'))).toEqual([]);
    expect(await edit(machine, 'x', 'y', { all: true })).toEqual({ output: 'Edited a.txt, lines 1, 3.' });
  });

  it('keeps a file that is not text unchanged, byte for byte', async () => {
    const machine = clientMachine();
    for (const bytes of [Uint8Array.of(97, 0, 98), Uint8Array.of(97, 0xff, 98)]) {
      machine.write('a.txt', bytes);
      expect((await edit(machine, 'a', 'b')).output).toBe(
        'a.txt is a binary file or not UTF-8. edit_file cannot change it.',
      );
    }
    expect(machine.asked).toEqual(['read: a.txt', 'read: a.txt']);
  });

  it('rejects a file that is too large on the kernel, too, for any response of the client', async () => {
    const machine = clientMachine();
    machine.write('a.txt', 'a'.repeat(20 * 1024 * 1024 + 1));
    expect(await edit(machine, 'a', 'b', { all: true })).toEqual({
      output: 'a.txt has 21.0 MB, too large for edit_file. Use shell.',
      is_error: true,
    });
    expect(machine.asked).toEqual(['read: a.txt']);
  });

  it('returns a denial to read or to write', async () => {
    const machine = clientMachine();
    machine.write('a.txt', 'a');
    machine.refuse('write: a.txt', 'no');
    expect(await edit(machine, 'a', 'b')).toEqual({ output: 'no', is_error: true });
    expect(machine.read('a.txt')).toBe('a');
  });
});

describe('shell', () => {
  it('does not wait again for a client after one timeout', async () => {
    const machine = clientMachine();
    const { hands } = machine.context;
    let asked = 0;
    hands!.shell = () => {
      asked++;
      return Promise.reject(new Unanswered('No answer came from the client in time.'));
    };
    const { output, is_error } = await sh(machine, 'date', 'uptime');
    expect([asked, is_error]).toEqual([1, true]);
    expect(output).toBe(
      '== date\nNo answer came from the client in time.\n\n== uptime\n[not run: the client does not respond]',
    );
  });
});

describe('[BT-3] workdir', () => {
  const move = async (machine: ClientMachine, path: string | null) => {
    const set: (string | null)[] = [];
    machine.context.setWorkdir = async to => void set.push(to);
    return [(await workdir({ paths }).run({ path }, machine.context)).output, set];
  };

  it('resolves the path on the client, without reading the disk of the kernel', async () => {
    const machine = clientMachine();
    expect(await move(machine, 'C:\\work')).toEqual(['The working directory is now C:\\work.', ['C:\\work']]);
    expect(await move(machine, '../x')).toEqual([
      'The working directory is now /home/of/the/x.',
      ['/home/of/the/x'],
    ]);
    expect(await move(machine, null)).toEqual(['This chat no longer has a working directory.', [null]]);
  });

  it('rejects a relative path without a base', async () => {
    const machine = clientMachine();
    machine.context.chat.workdir = null;
    expect(await move(machine, 'x')).toEqual([
      'Give an absolute path. The base of relative paths on that machine is unknown.',
      [],
    ]);
  });
});

it('does not fall back to the kernel without the client of the working directory', async () => {
  const here = workplace();
  const file = here.write('a.txt', 'here');
  const moved: unknown[] = [];
  Object.assign(here.context, { setWorkdir: async (to: unknown) => void moved.push(to) });
  // The same path on both machines.
  here.context.chat.workdir_on = 'client';
  const away =
    "The working directory of this chat is on a client's machine, which is not connected in this turn.";
  expect((await sh(here, 'touch never')).output).toBe(away);
  expect((await write(here, 'a.txt', 'x')).output).toBe(away);
  expect((await edit(here, 'here', 'x')).output).toBe(away);
  for (const path of ['sub', here.path, null]) {
    expect(await workdir({ paths }).run({ path }, here.context)).toEqual({
      output: away,
      is_error: true,
    });
  }
  expect(await read(here, 'a.txt', file)).toEqual({
    output: `== a.txt\n${away}\n\n== ${file}\n${away}`,
    is_error: true,
  });
  expect([moved, here.read('a.txt')]).toEqual([[], 'here']);
});
