/** The shadow repository of a chat without git. That git stores edits is proved in test/conformance/undo.system.test.ts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { Shadow } from '../src/node/undo/shadow.ts';

it('finds no edits in a repository that git was creating when it was killed', async () => {
  const directory = directoryOfTest();
  expect(await new Shadow(directory).edits(['one'])).toEqual(new Map());
  mkdirSync(join(directory, 'refs'));
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(directory, 'objects/pack'), { recursive: true });
  expect(await new Shadow(directory).edits(['one'])).toEqual(new Map());
});
