/**
 * Runs files of the fast suite in a copy of the tree for its parent: `node test-process.ts TREE`. It uses one Vitest for many runs,
 * since the start takes longer than most files. Expects a `Job` per message, and responds to each with a `FileResult`.
 */
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

export interface Job {
  /** A test file. */
  file: string;
  /** Source files that changed since the last job. */
  changed: string[];
  /** Whether the file ends at the first failed test. */
  bail: boolean;
}

export interface FileResult {
  passed: boolean;
  /** The first failed test; undefined if the file itself failed. */
  failedTest?: string;
  durationMs: number;
}

const tree = process.argv[2]!;
const vitest = await createVitest('test', {
  root: tree,
  project: 'fast',
  watch: false,
  maxWorkers: 1,
  bail: 1,
  reporters: [{}],
});
process.on('message', async (job: Job) => process.send!(await run(job)));
process.on('disconnect', () => process.exit());
process.send!('ready');

async function run({ file, changed, bail }: Job): Promise<FileResult> {
  for (const each of changed) vitest.invalidateFile(join(tree, each));
  vitest.config.bail = bail ? 1 : 0;
  const started = performance.now();
  const id = join(tree, file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
    vitest.getProjectByName('fast').createSpecification(id),
  ]);
  const module = testModules.find(each => each.moduleId === id);
  const failed = module?.children.allTests('failed').next().value;
  return {
    passed: module?.state() === 'passed' && unhandledErrors.length === 0,
    ...(failed && { failedTest: failed.fullName }),
    durationMs: Math.round(performance.now() - started),
  };
}
