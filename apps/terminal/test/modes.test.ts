/** What goes without asking in the modes that Shift-Tab walks, and what programs and files of the owner's own do. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { completingAt, fileChoices } from '../src/editor/completion.ts';
import { guarded, isPlainEdit, type Mode, modeAfter } from '../src/machine/modes.ts';
import { messageOf, ownCommands } from '../src/machine/own-commands.ts';
import { edited } from '../src/machine/own-editor.ts';

const write = (path: string, action = 'write'): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action,
  params: { path, content: 'x' },
});

it('walks ask, accept edits, plan only', () => {
  expect((['ask', 'edits', 'plan'] as Mode[]).map(modeAfter)).toEqual(['edits', 'plan', 'ask']);
});

it('accepts edits below the directory alone, links followed, and never of .git or a file that a shell runs', async () => {
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

it('changes nothing in plan only, whatever was allowed before', async () => {
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

it("reads commands of the owner's own folder alone", () => {
  const home = directoryOfTest();
  const folder = join(home, 'chat-kernel', 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'review.md'), '# Review a file\nLook at $ARGUMENTS closely.\n');
  writeFileSync(join(folder, 'No Name.md'), 'x');
  writeFileSync(join(folder, 'empty.md'), '\n');
  const found = ownCommands({ XDG_CONFIG_HOME: home });
  expect(found).toEqual([
    { name: 'review', description: 'Review a file', text: '# Review a file\nLook at $ARGUMENTS closely.' },
  ]);
  expect(messageOf(found[0]!, 'a$&.ts')).toBe('# Review a file\nLook at a$&.ts closely.');
  expect(messageOf({ text: 'Go on.' }, 'now')).toBe('Go on.\n\nnow');
  expect(ownCommands({ XDG_CONFIG_HOME: join(home, 'none') })).toEqual([]);
});

it("gives a text to the owner's editor, and keeps it where that fails", async () => {
  const env = { ...process.env, VISUAL: "sed -i -e 's/tea/coffee/'" };
  expect(await edited('more tea', env)).toBe('more coffee');
  await expect(edited('more tea', { ...env, VISUAL: 'false' })).rejects.toThrow('the text is as it was');
});

it('completes files whose names have blanks, in quotes', () => {
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
