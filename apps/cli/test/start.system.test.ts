/** Tests what `npm start` runs in a checkout. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';

const BUILT = new Date('2026-01-02');
const OLDER = new Date('2026-01-01');
const NEWER = new Date('2026-01-03');
const SAYS = 'console.log(import.meta.filename.split("/").at(-3), process.argv[2]);';

it('runs the bundle only if it is complete and nothing has changed since', () => {
  const root = directoryOfTest();
  const put = (file: string, at: Date, text = '') => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    // The time of a folder changes with its files.
    for (let name = file; name !== '.'; name = dirname(name)) utimesSync(join(root, name), at, at);
  };
  const started = () =>
    execFileSync(process.execPath, [join(root, 'scripts/start.js'), 'word'], { encoding: 'utf8' }).trim();
  put('package.json', OLDER, '{"type":"module"}');
  put('apps/cli/bin/chat-kernel.js', OLDER, SAYS);
  put('packages/kernel/src/turn/turn.ts', OLDER);
  cpSync(join(import.meta.dirname, '../../../scripts/start.js'), join(root, 'scripts/start.js'));
  put('scripts/other.ts', OLDER);
  utimesSync(join(root, 'scripts/start.js'), OLDER, OLDER);
  expect(started()).toBe('cli word');

  put('dist/bin/chat-kernel.js', BUILT, SAYS);
  expect(started()).toBe('cli word');
  put('dist/.npmignore', BUILT);
  expect(started()).toBe('dist word');

  for (const [file, text] of [
    ['package.json', '{"type":"module"}'],
    ['packages/kernel/package.json', '{}'],
    ['packages/kernel/src/turn/turn.ts', ''],
  ] as const) {
    put(file, NEWER, text);
    expect(started(), file).toBe('cli word');
    put(file, OLDER, text);
    expect(started(), file).toBe('dist word');
  }
  rmSync(join(root, 'packages/kernel/src/turn/turn.ts'));
  expect(started()).toBe('cli word');
});
