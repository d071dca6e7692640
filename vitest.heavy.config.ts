/**
 * `npm run test:heavy`: the tests that repeat at scale (kills, imports, random cases), and only those: the files that
 * import what gives them larger numbers and longer times, because TEST_HEAVY is set.
 */
import { mergeConfig } from 'vitest/config';
import { filesIn, importedFile, importsOf } from './scripts/layers/imports.ts';
import config, { TIMEOUT } from './vitest.config.ts';

const SCALES = ['test/harness/scale.ts', 'test/harness/for-as-long.ts'];

const root = import.meta.dirname;
const tests = filesIn(root, ['{packages,apps,modules}/*/test/**/*.test.ts', 'test/**/*.test.ts']);
const scaled = tests.filter(file =>
  importsOf(root, file).some(each => SCALES.includes(importedFile(each) ?? '')),
);

export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      include: scaled,
      env: { TEST_HEAVY: '1' },
      // At scale a test has ten times the work of a normal run.
      testTimeout: 4 * TIMEOUT,
      hookTimeout: 4 * TIMEOUT,
    },
  },
);
