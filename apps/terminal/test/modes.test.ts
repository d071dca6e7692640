/** Tests approval modes, and the user's own commands. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/hands';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { completingAt, fileChoices } from '../src/editor/completion.ts';
import { guarded, isPlainEdit, type Mode, modeAfter } from '../src/machine/modes.ts';
import { expandCommand, loadUserCommands } from '../src/machine/user-commands.ts';

const write = (path: string, action = 'write'): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action,
  params: { path, content: 'x' },
});

it('cycles through ask, accept edits, plan only', () => {
  expect((['ask', 'edits', 'plan'] as Mode[]).map(modeAfter)).toEqual(['edits', 'plan', 'ask']);
});

it('accepts edits only in the directory, after resolving links, and never in .git or shell startup files', async () => {
  const workdir = directoryOfTest();
  mkdirSync(join(workdir, '.git'));
  symlinkSync(join(workdir, '.git'), join(workdir, 'docs'));
  symlinkSync('/nowhere/at/all', join(workdir, 'dangling'));
  const accepted = async (path: string) => isPlainEdit(workdir, write(path));
  for (const path of ['a.txt', 'new/deep/a.ts', join(workdir, 'b'), '.eslintrc']) {
    expect([path, await accepted(path)]).toEqual([path, true]);
  }
  const asked = [
    '../a',
    '/etc/passwd',
    '.git/hooks/x',
    'docs/hooks/x',
    '.bashrc',
    'sub/.ZSHENV',
    '.envrc',
    'dangling',
  ];
  for (const path of asked) expect([path, await accepted(path)]).toEqual([path, false]);
  expect(await isPlainEdit(workdir, write('a.txt', 'shell'))).toBe(false);
});

it('changes no file in plan only, regardless of earlier approvals', async () => {
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'a'), 'as it was');
  let mode: Mode = 'plan';
  const hands = guarded(nodeHands({ workdir }), () => mode);
  const context = { signal: new AbortController().signal, progress() {} };
  const refused = 'The user wants a plan only';
  await expect(hands.write({ path: 'a', content: 'x' }, context)).rejects.toThrow(refused);
  await expect(hands.shell({ command: 'echo x > a' }, context)).rejects.toThrow(refused);
  const bytes = { path: join(workdir, 'a'), offset: 0, data: 'eA==', truncate: true };
  await expect(hands.write_bytes(bytes, context)).rejects.toThrow(refused);
  expect(await hands.read({ path: 'a' }, context)).toBe('as it was');
  mode = 'ask';
  await hands.write({ path: 'a', content: 'x' }, context);
  expect(readFileSync(join(workdir, 'a'), 'utf8')).toBe('x');
});

it("reads commands only from the user's folder", () => {
  const home = directoryOfTest();
  const folder = join(home, 'chat-kernel', 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'review.md'), '# Review a file\nLook at $ARGUMENTS closely.\n');
  writeFileSync(join(folder, 'No Name.md'), 'x');
  writeFileSync(join(folder, 'empty.md'), '\n');
  const found = loadUserCommands({ XDG_CONFIG_HOME: home });
  expect(found).toEqual([
    { name: 'review', description: 'Review a file', text: '# Review a file\nLook at $ARGUMENTS closely.' },
  ]);
  expect(expandCommand(found[0]!, 'a$&.ts')).toBe('# Review a file\nLook at a$&.ts closely.');
  expect(expandCommand({ text: 'Go on.' }, 'now')).toBe('Go on.\n\nnow');
  expect(loadUserCommands({ XDG_CONFIG_HOME: join(home, 'none') })).toEqual([]);
});

it('completes file names with spaces, in quotes', () => {
  expect(fileChoices(['my file.txt', 'my folder/', 'a'])).toMatchObject([
    { insert: '@"my file.txt" ' },
    { insert: '@"my folder/' },
    { insert: '@a ' },
  ]);
  const text = 'see @"my folder/a b';
  expect(completingAt({ text, cursor: text.length })).toEqual({
    kind: 'file',
    query: 'my folder/a b',
    from: 4,
    to: text.length,
  });
  expect(completingAt({ text: 'see @"a b" and', cursor: 14 })).toBeNull();
});
