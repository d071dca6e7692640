/** Tests that stored edits stay within their limits, with a real git. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { Undo } from '../src/node/undo/undo.ts';

const KIB = 1024;
const noise = () => Array.from({ length: 8000 }, () => Math.random().toString(36)[2]).join('');

it('drops the oldest edits of a chat, and the chats edited longest ago', async () => {
  const [work, directory] = [directoryOfTest(), directoryOfTest()];
  const limits = { max_file_bytes: KIB ** 2, max_chat_bytes: 20 * KIB, max_total_bytes: 25 * KIB };
  const edit = async (chat_id: string, name: string) => {
    const path = join(work, name);
    writeFileSync(path, noise());
    // Each instance checks the total with its first edit.
    await new Undo({ directory, limits }).keep({ chat_id, op_id: name, path, after: Buffer.from('new') });
    writeFileSync(path, 'new');
  };
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) await edit('one', name);
  const disk = {
    real: async (path: string) => path,
    at: <R>(path: string, work: (path: string) => R) => work(path),
  };
  const edits = names.map(name => ({ op_id: name, turn_id: 'turn', path: join(work, name) }));
  const files = await new Undo({ directory, limits }).undo(
    { chat_id: 'one', mode: 'preview', edits },
    disk as never,
  );
  expect(files.at(0)).toMatchObject({
    action: 'not_kept',
    error: 'This machine has not stored an edit of this file.',
  });
  expect(files.at(-1)).toMatchObject({ action: 'restore' });
  for (const name of names) await edit('two', name);
  expect(readdirSync(directory)).toEqual(['two.git']);
});
