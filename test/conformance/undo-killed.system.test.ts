/**
 * Tests undo of file edits when the process is killed: while it stores a copy, between storing and writing, and during
 * a restore.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Undo, type UndoDisk } from '@chat-kernel/hands';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHAT = '00000000-0000-7000-8000-000000000001';
const HEAD = `
import { readFileSync, writeFileSync } from 'node:fs';
import { Undo } from '@chat-kernel/hands';
const [directory, ...paths] = process.argv.slice(1);
const undo = new Undo({ directory });
const keep = (path, op_id, after) =>
  undo.keep({ chat_id: '${CHAT}', op_id, path, after: Buffer.from(after) });
const die = () => process.kill(process.pid, 'SIGKILL');
const edits = paths.map((path, index) => ({ op_id: 'e' + index, turn_id: 't', path }));
`;

/** Runs a script until it is killed. */
async function killed(script: string, args: readonly string[], afterMs?: number): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HEAD + script, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  if (afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs);
  expect((await gone)[1]).toBe('SIGKILL');
}

const disk: UndoDisk = {
  real: async path => path,
  at: async (path, work) => work(path),
  async put(path, content) {
    writeFileSync(path, content);
  },
};

function place() {
  const directory = join(directoryOfTest(), 'undo');
  const files = directoryOfTest();
  const paths = ['a', 'b', 'c'].map(name => join(files, name));
  const undo = new Undo({ directory });
  const ask = (mode: 'preview' | 'restore', asked = paths) =>
    undo.undo(
      { chat_id: CHAT, mode, edits: asked.map((path, n) => ({ op_id: `e${n}`, turn_id: 't', path })) },
      disk,
    );
  return { directory, paths, undo, ask };
}

test('[UNDO-1] keeps the file unchanged after a kill between storing and writing, and restores nothing', async () => {
  const { directory, paths, ask } = place();
  const [path] = paths as [string];
  writeFileSync(path, 'before');
  await killed("await keep(paths[0], 'e0', 'after'); die();", [directory, path]);
  expect(await ask('preview', [path])).toMatchObject([{ action: 'unchanged', changed_since: false }]);
  writeFileSync(path, 'after');
  expect(await ask('restore', [path])).toMatchObject([{ action: 'restore' }]);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('[UNDO-2] repeats a restore after a kill in the middle', async () => {
  const { directory, paths, ask } = place();
  for (const path of paths.slice(0, 2)) writeFileSync(path, `before ${path}`);
  await killed(
    `for (const [n, path] of paths.entries()) {
      await keep(path, 'e' + n, 'after');
      writeFileSync(path, 'after');
    }
    let puts = 0;
    const put = async (path, content) => (puts++ === 1 ? die() : writeFileSync(path, content));
    await undo.undo({ chat_id: '${CHAT}', mode: 'restore', edits },
      { real: async path => path, at: async (path, work) => work(path), put });
    setInterval(() => {}, 1000);`,
    [directory, ...paths],
  );
  const texts = () => paths.slice(0, 2).map(path => readFileSync(path, 'utf8'));
  expect(texts()).toEqual([`before ${paths[0]}`, 'after']);
  expect((await ask('restore')).map(({ action }) => action)).toEqual(['unchanged', 'restore', 'delete']);
  expect(texts()).toEqual(paths.slice(0, 2).map(path => `before ${path}`));
  expect(existsSync(paths[2]!)).toBe(false);
});

test('[UNDO-1] restores the original content if an edit is stored again after a kill', async () => {
  const { directory, paths, undo, ask } = place();
  const [path] = paths as [string];
  writeFileSync(path, 'before');
  await killed("await keep(paths[0], 'e0', 'after'); writeFileSync(paths[0], 'after'); die();", [
    directory,
    path,
  ]);
  await undo.keep({ chat_id: CHAT, op_id: 'e0', path, after: Buffer.from('after') });
  expect(await ask('restore', [path])).toMatchObject([{ action: 'restore' }]);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('[UNDO-1] stores an edit completely or not at all at a kill at any moment, and stores the next one', async () => {
  const { directory, paths, undo, ask } = place();
  const [path] = paths as [string];
  writeFileSync(path, 'x'.repeat(1_000_000));
  for (const afterMs of [60, 90, 120, 150, 200, 300]) {
    await killed(
      "for (let n = 0; ; n++) await keep(paths[0], 'k' + n, 'after');",
      [directory, path],
      afterMs,
    );
    const told = await undo.undo(
      {
        chat_id: CHAT,
        mode: 'preview',
        edits: [{ op_id: 'k0', turn_id: 't', path }],
      },
      disk,
    );
    expect(['unchanged', 'not_kept']).toContain(told[0]!.action);
  }
  await undo.keep({ chat_id: CHAT, op_id: 'e0', path, after: Buffer.from('after') });
  unlinkSync(path);
  writeFileSync(path, 'after');
  expect(await ask('restore', [path])).toMatchObject([{ action: 'restore' }]);
  expect(readFileSync(path, 'utf8')).toHaveLength(1_000_000);
});
