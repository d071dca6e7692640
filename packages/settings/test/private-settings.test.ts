/** Tests which settings files show secrets to other users. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { showsSecrets } from '../src/private-settings.ts';

const KEY = 'key-of-the-provider';
const settings = Settings.parse({ llm: { providers: { one: { kind: 'openai', api_key: KEY } } } });

test.each([
  ['a secret that others can read', 0o644, KEY, true],
  ['a secret that only its owner can read', 0o600, KEY, false],
  ['no secret', 0o644, 'nothing', false],
])('a file with %s', async (_, mode, text, shows) => {
  const file = join(directoryOfTest(), 'config.yaml');
  writeFileSync(file, text);
  chmodSync(file, mode);
  expect(await showsSecrets(file, settings)).toBe(shows);
});

test('a missing file and a directory show nothing', async () => {
  const directory = directoryOfTest();
  expect(await showsSecrets(join(directory, 'none.yaml'), settings)).toBe(false);
  expect(await showsSecrets(directory, settings)).toBe(false);
});
