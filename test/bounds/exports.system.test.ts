/** Tests that the command that imports reports the bound of an archive (SAFE-7). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zipOf } from '../../packages/features/test/books/files.ts';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';

test('[SAFE-7] the command reports the bound in one line', { timeout: 200_000 }, async () => {
  const home = directoryOfTest();
  const path = join(home, 'export.zip');
  writeFileSync(path, zipOf([['conversations.json', Buffer.alloc(70_000_000, ' ')]]));
  const { code, err } = await runCommand(['import', path, '--data', join(home, 'data')], home);
  expect(code).toBe(1);
  expect(err).toBe(`chat-kernel: ${path}: it unpacks to more than 67108864 bytes, the limit for its size\n`);
});
