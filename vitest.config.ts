import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TestJournal } from './scripts/test/journal.ts';
import { TestOrder } from './scripts/test/order.ts';
import { measureSlowness } from './scripts/test/pace.js';

/** How many times slower than normal this machine is; .ci/run measures it once for all the runs that it starts. */
const slowness = Number(process.env.TEST_SLOWNESS ?? measureSlowness());

/** The time limit of a test, and of each hook. Tests that really wait longer use PATIENT (test/harness/patient.ts). */
export const TIMEOUT = 30_000 * slowness;

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', '{apps,modules}/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['scripts/test/memory.ts', 'scripts/test/bundle.ts', 'scripts/test/shared-postgres.ts'],
    setupFiles: ['scripts/test/setup.ts'],
    testTimeout: TIMEOUT,
    hookTimeout: TIMEOUT,
    expect: { poll: { timeout: 20_000 * slowness } },
    sequence: {
      shuffle: { tests: true },
      seed: Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31),
      sequencer: TestOrder,
    },
    reporters: ['default', new TestJournal()],
    // Files share a process: a new one for each of 350 files costs more than half of their tests do. No file leaves timers,
    // variables of the environment or mocks behind.
    isolate: false,
    env: {
      TEST_SLOWNESS: String(slowness),
      // A test that runs vitest itself must neither write into the journal of this run nor bundle the program again.
      TEST_JOURNAL: '',
      TEST_BUNDLED: '',
      // Programs that tests start need not strip and compile what one before them did: a third of their time and memory.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tests'),
    },
    // Reuses the stripped types of earlier runs.
    fsModuleCache: true,
    // The machine this is built on has two cores. Files wait for time or programs more than half of their time, so more of
    // them keep both cores at work.
    maxWorkers: 5,
  },
});
