/** Tests that copies of caches do not fill the disk (CONSENT-9). */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { CacheCopies, MachinePaths } from '../src/own-machine.ts';

const LIMITS = { days: 30, bytes: 2500 };
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

function places() {
  const root = realpathSync(directoryOfTest());
  const [cache, copies] = [join(root, 'cache'), join(root, 'copies')];
  mkdirSync(cache);
  writeFileSync(join(cache, 'package'), 'x'.repeat(1000));
  const open = () => new CacheCopies([cache], copies);
  /** Runs a command in a project. @param days since then */
  const use = async (name: string, days: number | null, caches = open()): Promise<string> => {
    const project = join(root, name);
    mkdirSync(project, { recursive: true });
    const [mount] = await caches.mounts(project, new MachinePaths([copies]));
    const copy = mount?.copy as string;
    if (days !== null) utimesSync(join(copy, '..'), daysAgo(days), daysAgo(days));
    return copy;
  };
  return { copies, open, use };
}

test('[CONSENT-9] deletes copies that were not used for a month, and the oldest ones above the limit', async () => {
  const { copies, open, use } = places();
  const [a, b, c, old] = [await use('a', 3), await use('b', 1), await use('c', 2), await use('old', 31)];
  await open().clean({ ...LIMITS, bytes: 10_000 });
  expect([a, b, c, old].map(existsSync)).toEqual([true, true, true, false]);
  await open().clean(LIMITS);
  expect([a, b, c].map(existsSync)).toEqual([false, true, true]);
  expect(readdirSync(copies)).toHaveLength(2);
});

test('[CONSENT-9] keeps copies that a command uses, and makes deleted ones again', async () => {
  const { open, use } = places();
  const caches = open();
  const copy = await use('a', 40, caches);
  await caches.clean(LIMITS);
  expect(existsSync(copy)).toBe(true);
  await open().clean(LIMITS);
  expect(existsSync(copy)).toBe(false);
  expect(readFileSync(join(await use('a', null), 'package'), 'utf8')).toHaveLength(1000);
});

test('[CONSENT-9] each command renews the time of its copies, and cleaning ignores a missing directory', async () => {
  const { open, use } = places();
  await open().clean(LIMITS);
  const copy = await use('a', 40);
  await use('a', null);
  await open().clean(LIMITS);
  expect(existsSync(copy)).toBe(true);
});
