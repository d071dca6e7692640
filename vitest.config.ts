/**
 * Defines the suites by the names of their files: `x.test.ts` is fast, `x.system.test.ts` needs something real (a
 * program, Postgres, a browser, a terminal), `x.heavy.test.ts` repeats at scale.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TestJournal } from './scripts/test/journal.ts';
import { TestOrder } from './scripts/test/order.ts';
import { measureSlowness } from './scripts/test/pace.js';

/** How many times slower than normal this machine is; .ci/run measures it once for all the runs that it starts. */
const slowness = Number(process.env.TEST_SLOWNESS ?? measureSlowness());

/** The time limit of a test, and of each hook. Tests that really wait longer use PATIENT (test/harness/patient.ts). */
const TIMEOUT = 30_000 * slowness;

const tests = (suffix: string): string[] =>
  ['{packages,apps,modules}/*/test/**/*', 'test/**/*'].map(path => path + suffix);
const OTHERS = ['**/*.{system,heavy}.test.ts', '**/node_modules/**'];
/** Tests whose result may depend on the database. */
const DATABASES = [
  'test/conformance/{fork,long-history}.test.ts',
  'test/conformance/restart.system.test.ts',
  'test/property/forks.test.ts',
  'packages/{storage,features}/test/**/store.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: tests('.test.ts'),
          exclude: OTHERS,
          setupFiles: ['scripts/test/fast.ts'],
          sequence: { groupOrder: 0 },
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'system',
          include: tests('.system.test.ts'),
          sequence: { groupOrder: 1 },
        },
      },
      {
        // These run on SQLite in their own suite, and on Postgres in the system suite.
        test: {
          name: 'postgres',
          include: DATABASES,
          env: { DATABASE: 'postgres' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'heavy',
          include: tests('.heavy.test.ts'),
          env: { TEST_HEAVY: '1' },
          // At scale a test has ten times the work of a normal run.
          testTimeout: 4 * TIMEOUT,
          hookTimeout: 4 * TIMEOUT,
          sequence: { groupOrder: 2 },
        },
      },
    ],
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
    // The machine this is built on has two cores. Files wait for programs more than half of their time, so more of them
    // keep both cores at work.
    maxWorkers: 5,
  },
});
