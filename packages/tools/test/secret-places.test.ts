/** Tests that tools and the API do not read secret places of the kernel's machine, by any name. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths, SecretPlaces } from '@chat-kernel/hands/own-machine';
import { type LocalOperation, OperationError } from '@chat-kernel/kernel';
import { expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { ownMachine } from '../src/machine/own-machine.ts';
import { readFile } from '../src/read-file.ts';
import { workplace } from './workplace.ts';

/** A home directory with a key and a link to it, and a project with passwords. */
function machine(...rules: string[]) {
  const place = workplace();
  mkdirSync(join(place.path, '.ssh'));
  mkdirSync(join(place.path, 'uploads'));
  place.write('.ssh/id_rsa', 'hidden');
  place.write('.env', 'hidden');
  place.write('uploads/a.key', 'uploaded');
  symlinkSync('.env', join(place.path, 'AGENTS.md'));
  const paths = new MachinePaths([], [join(place.path, 'uploads')], {
    secrets: new SecretPlaces(rules, place.path),
  });
  const at = (name: string) => join(place.path, name);
  /** Denies to read secret places. */
  const asked: LocalOperation[] = [];
  const consent = async (operation: LocalOperation) => {
    asked.push(operation);
    if (operation.isSecret) throw new OperationError('Denied.');
    return { by_prefix: false };
  };
  const read = (...names: string[]) =>
    readFile(paths).run({ files: names.map(path => ({ path })) }, { ...place.context, consent });
  return { ...place, paths, at, read, asked };
}
const refusal = (path: string) =>
  `${path} is a secret place (keys or passwords). Tools read it only if the user allows this.`;

it('[CONSENT-5] read_file asks before it reads a secret place, also through a link, and lists its names', async () => {
  const { read, at, asked } = machine();
  const { output } = await read('.env', 'AGENTS.md', '.ssh/id_rsa', '.ssh', 'uploads/a.key');
  expect(output.split('\n\n')).toEqual([
    '== .env\nDenied.',
    '== AGENTS.md\nDenied.',
    '== .ssh/id_rsa\nDenied.',
    '== .ssh\n[a directory]\nid_rsa',
    '== uploads/a.key\nuploaded',
  ]);
  const secret = (path: string) => ({ action: 'read', path, target: path, isSecret: true });
  expect(asked.filter(({ isSecret }) => isSecret)).toEqual([
    secret(at('.env')),
    secret(at('.env')),
    secret(at('.ssh/id_rsa')),
  ]);
});

it('[CONSENT-5] [CONSENT-15] read_file refuses a secret place to a trusted person without a question', async () => {
  const { context, paths, at, asked } = machine();
  const turn_context = { ...context.turn_context, master: false, trusted: true };
  const { output } = await readFile(paths).run({ files: [{ path: '.env' }] }, { ...context, turn_context });
  expect(output).toBe(`== .env\n${refusal(at('.env'))}`);
  expect(asked).toEqual([]);
});

it('[CONSENT-5] read_file follows the setting tools.secret_paths', async () => {
  const { read, write } = machine('!.env', 'diary*');
  write('diary-1', 'hidden');
  expect((await read('.env', 'diary-1')).output).toBe('== .env\nhidden\n\n== diary-1\nDenied.');
});

it('[CONSENT-5] edit_file does not show a secret place', async () => {
  const { paths, context, read, at } = machine();
  const rules = { paths, sandbox: { kind: async () => 'none' as const, isMissing: async () => false } };
  expect(await editFile(rules).run({ path: '.env', old: 'hiden', new: 'x' }, context)).toEqual({
    output: refusal(at('.env')),
    is_error: true,
  });
  expect((await read('.env')).output).toContain('Denied.');
});

it('[CONSENT-5] the API and project documents read no secret place', async () => {
  const { paths, path, at } = machine();
  const own = ownMachine(paths);
  for (const name of ['.env', 'AGENTS.md', '.ssh/id_rsa', '.ssh/none']) {
    await expect(own.readBytes({ path: at(name), offset: 0, size: 9 })).rejects.toMatchObject({
      code: 'forbidden_path',
      message: expect.stringContaining('is a secret place'),
    });
  }
  await expect(own.read(at('AGENTS.md'))).rejects.toThrow(refusal(at('.env')));
  expect((await own.listUp(path, ['AGENTS.md'])).filter(({ dir }) => dir === path)).toEqual([]);
});
