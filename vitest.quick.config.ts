/**
 * `npm run test:quick`: the tests of packages and programs that run in one process. The tests in test/ are left out as
 * well: conformance, properties, chaos, proxies.
 */
import { mergeConfig } from 'vitest/config';
import { filesIn } from './scripts/layers/imports.ts';
import { runsInProcess } from './scripts/test/in-process.ts';
import config from './vitest.config.ts';

const root = import.meta.dirname;
const tests = filesIn(root, ['packages/*/test/**/*.test.ts', '{apps,modules}/*/test/**/*.test.ts']);
const slow = tests.filter(file => !runsInProcess(root, file));
// A tool that only looks at the configuration has no use for the list.
if (process.argv.some(argument => argument.includes('vitest.quick')))
  process.stdout.write(`left out: test/, and what starts other programs:\n  ${slow.join('\n  ')}\n`);

export default mergeConfig(config, { test: { exclude: ['test/**', '**/node_modules/**', ...slow] } });
