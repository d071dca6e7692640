/**
 * Runs before each test file. Scripted replies are dropped after each test, so that no test uses the reply of another
 * one. Databases are dropped and stubbed variables of the environment restored after each file, because the next file
 * shares the process.
 */
import fc from 'fast-check';
import { afterAll, afterEach, vi } from 'vitest';
import { dropDatabases } from '../../test/harness/database.ts';
import { AT_SCALE } from '../../test/harness/scale.ts';
import { leftovers } from '../../test/upstream/leftovers.ts';
import { TOO_LATE } from './last-begin.ts';

// .ci/run gives each suite a time after which no file starts (seconds since 1970).
if (Date.now() / 1000 > Number(process.env.TEST_LAST_BEGIN ?? Number.POSITIVE_INFINITY))
  throw new Error(TOO_LATE);

// A run tries the same random values each time, so that it passes or fails by what changed. TEST_SEED tries others, and a
// run at scale new ones.
if (!AT_SCALE) fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20261128) });

afterEach(() => {
  for (const forget of leftovers) forget();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await dropDatabases();
});
