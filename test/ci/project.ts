/** Creates a small project with test files and the real `.ci/run`, to test the output of that script. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryDirectory } from '../harness/directory.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REAL = [
  '.ci/run',
  'scripts',
  // The build of the page reads it.
  'apps/web/src/nav/pages.ts',
  'test/harness/database.ts',
  'test/harness/in-memory.ts',
  'test/harness/scale.ts',
  'test/upstream/leftovers.ts',
  'vitest.config.ts',
];

interface CiRun {
  code: number;
  output: string;
  lastLine: string;
}

/**
 * Runs `.ci/run` in a project with these test files (name to text), and with a good one in each suite.
 * @param environment further variables, such as the deadlines of `.ci/run`
 * @param test the project's `npm test`
 */
export async function runCi(
  files: Record<string, string>,
  environment: Record<string, string> = {},
  test = 'vitest run --project fast',
): Promise<CiRun> {
  const { path, remove } = temporaryDirectory();
  for (const each of REAL) cpSync(join(ROOT, each), join(path, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const scripts = { test, 'test:system': 'vitest run --project system' };
  const good = "import { test } from 'vitest';\ntest('is good', () => {});\n";
  const tree = {
    '.ci/packages': '#!/bin/sh\n',
    'package.json': JSON.stringify({ type: 'module', scripts }),
    'test/good.test.ts': good,
    'test/good.system.test.ts': good,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`test/${name}`, text])),
  };
  for (const [name, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text, { mode: 0o755 });
  }
  try {
    return await run(path, environment);
  } finally {
    await remove();
  }
}

function run(path: string, environment: Record<string, string>): Promise<CiRun> {
  const { TEST_JOURNAL: _, TEST_LAST_BEGIN: __, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}`, ...environment };
  return new Promise(resolve => {
    execFile('bash', ['.ci/run'], { cwd: path, env, maxBuffer: 2 ** 26 }, (error, output) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, output, lastLine: output.trim().split('\n').at(-1) ?? '' });
    });
  });
}
