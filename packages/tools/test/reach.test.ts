/** Tests which paths other people than the master read (CONSENT-15). */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { readFile } from '../src/read-file.ts';
import { clientMachine } from './client-machine.ts';
import { type Workplace, workplace } from './workplace.ts';

const TRUSTED = { master: false, trusted: true };
const REFUSED = /^== .*\nOnly the master can read this path\./;

const reader = (place: Workplace, who: object, paths: MachinePaths) => async (path: string) => {
  const context = { ...place.context, turn_context: who } as Workplace['context'];
  return (await readFile(paths).run({ files: [{ path }] }, context)).output;
};

describe('on the machine of the kernel', () => {
  /** A machine whose chat works in `work`; the rest is outside. */
  function machine() {
    const place = workplace();
    mkdirSync(join(place.path, 'work/sub'), { recursive: true });
    mkdirSync(join(place.path, 'workshop'));
    mkdirSync(join(place.path, 'uploads'));
    place.write('work/sub/a.txt', 'inside');
    place.write('uploads/b.txt', 'attached');
    const outside = place.write('c.txt', 'outside');
    place.write('workshop/d.txt', 'outside');
    symlinkSync(outside, join(place.path, 'work/link'));
    symlinkSync('..', join(place.path, 'work/up'));
    const chat = { ...place.context.chat, workdir: join(place.path, 'work') };
    const paths = new MachinePaths([], [join(place.path, 'uploads')]);
    const at = (name: string) => join(place.path, name);
    return { place: { ...place, context: { ...place.context, chat } }, paths, at };
  }

  it('[CONSENT-15] a trusted person reads attached files and the working directory, and no link out of it', async () => {
    const { place, paths, at } = machine();
    const read = reader(place, TRUSTED, paths);
    for (const path of ['sub/a.txt', at('work/sub/a.txt')]) expect(await read(path)).toContain('inside');
    expect(await read('.')).toContain('[a directory]');
    expect(await read(at('uploads/b.txt'))).toContain('attached');
    for (const path of ['../c.txt', 'link', 'up/c.txt', 'up', at('c.txt'), at('workshop/d.txt'), '/', '~']) {
      expect(await read(path), path).toMatch(REFUSED);
    }
  });

  it('[CONSENT-15] a trusted person reads only attached files in a chat without a working directory', async () => {
    const { place, paths, at } = machine();
    const chat = { ...place.context.chat, workdir: null };
    const read = reader({ ...place, context: { ...place.context, chat } }, TRUSTED, paths);
    expect(await read(at('work/sub/a.txt'))).toMatch(REFUSED);
    expect(await read(at('uploads/b.txt'))).toContain('attached');
  });

  it('[CONSENT-15] the master reads other files, unless the turn is that of a guest', async () => {
    const { place, paths, at } = machine();
    const own = reader(place, { master: true, trusted: true }, paths);
    for (const path of ['link', 'up/c.txt', at('c.txt')]) expect(await own(path)).toContain('outside');
    expect(await reader(place, { master: true, trusted: false }, paths)(at('c.txt'))).toMatch(REFUSED);
  });
});

it('[CONSENT-15] a trusted person reads the working directory of a client, and nothing else of that machine', async () => {
  const machine = clientMachine();
  machine.write('a.txt', 'inside');
  const chat = { ...machine.context.chat, workdir: machine.path };
  const place = { ...machine, context: { ...machine.context, chat } };
  const read = reader(place, TRUSTED, new MachinePaths([]));
  for (const path of ['a.txt', './sub/../a.txt', join(machine.path, 'a.txt')]) {
    expect(await read(path)).toContain('inside');
  }
  const { asked } = machine;
  const before = asked.length;
  const outside = [
    '../a.txt',
    'sub/../../a.txt',
    '/etc/hosts',
    '~/a.txt',
    `${machine.path}x/a.txt`,
    'C:\\a.txt',
  ];
  for (const path of outside) expect(await read(path), path).toMatch(REFUSED);
  expect(asked).toHaveLength(before);
});

it.each([
  'C:\\work',
  '\\\\server\\share\\work',
])('[CONSENT-15] the working directory may be %s on a Windows machine', async workdir => {
  const machine = clientMachine();
  const asked: string[] = [];
  const hands = { read: async (path: string) => asked.push(path) && 'inside' };
  const context = { ...machine.context, hands, chat: { ...machine.context.chat, workdir } };
  const read = reader({ ...machine, context: context as never }, TRUSTED, new MachinePaths([]));
  const inside = ['a.txt', 'sub\\a.txt', `${workdir}\\sub/a.txt`];
  for (const path of inside) expect(await read(path), path).toContain('inside');
  for (const path of ['..\\a.txt', 'D:\\a.txt', 'C:a.txt', '\\a.txt', '~\\a.txt', `${workdir}s\\a.txt`]) {
    expect(await read(path), path).toMatch(REFUSED);
  }
  expect(asked).toEqual(inside);
});
