/** Tests that an import is refused by its bound if a small archive unpacks to too much (SAFE-7). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zipOf } from '../../packages/features/test/books/files.ts';
import { IMPORT_LIMITS } from '../../packages/importers/src/base/limits.ts';
import { conversationsIn } from '../../packages/importers/src/index.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';

/** Writes an archive with this file, and returns its path. */
function archiveOf(content: string | Buffer, name = 'conversations.json'): string {
  const path = join(directoryOfTest(), 'export.zip');
  writeFileSync(path, zipOf([[name, content]]));
  return path;
}

const read = (path: string, changed: Partial<typeof IMPORT_LIMITS> = {}) =>
  Array.fromAsync(conversationsIn(path, { ...IMPORT_LIMITS, ...changed }));

test('[SAFE-7] refuses an export with too many conversations', async () => {
  const path = archiveOf(`[${'{},'.repeat(1000)}{}]`);
  await expect(read(path, { conversations: 1000 })).rejects.toThrow('it holds more than 1000 conversations');
  expect(await read(path)).toHaveLength(1001);
});

test('[SAFE-7] refuses an archive that unpacks to too many bytes, in one file or in several', async () => {
  const blanks = archiveOf(Buffer.alloc(12_000_000, ' '));
  const limits = { unpacked_bytes: 10_000_000 };
  await expect(read(blanks, limits)).rejects.toThrow('it unpacks to more than 10000000 bytes');
  // With blanks only, but within the bound.
  await expect(read(blanks)).rejects.toThrow('it is empty');
  const several = join(directoryOfTest(), 'several.zip');
  const lines = Buffer.alloc(6_000_000, '\n');
  writeFileSync(
    several,
    zipOf([
      ['a.jsonl', lines],
      ['b.jsonl', lines],
    ]),
  );
  await expect(read(several, limits)).rejects.toThrow('it unpacks to more than 10000000 bytes');
  // A file that shrinks less may be larger.
  expect(await read(several, { ...limits, ratio: 2000 })).toHaveLength(2);
});

test('[SAFE-7] skips a conversation with too many values', async () => {
  const many = `[{"mapping":[${'1,'.repeat(1000)}1]},{"chat_messages":[]}]`;
  expect(await read(archiveOf(many), { values: 1000 })).toMatchObject([
    { kind: 'broken', reason: 'it has more than 1000 values' },
    { reason: expect.not.stringContaining('values') },
  ]);
  const lines = `{"a":[${'1,'.repeat(600)}1]}\n`.repeat(2);
  expect(await read(archiveOf(lines, 'chat.jsonl'), { values: 1000 })).toMatchObject([
    { kind: 'broken', reason: 'it has more than 1000 values' },
  ]);
});
