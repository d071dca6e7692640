/**
 * Before a run of all tests: bundles the program as it ships, so that tests which start it as a process start the
 * bundle. The bundle starts in half the processor time of the sources, which is most of the cost of these tests. A run
 * of single files (without TEST_BUNDLED) starts the sources.
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from '../build/bundle.ts';
import { copyFiles } from '../build/files.ts';
import { writeManifests } from '../build/manifests.ts';
import { buildWeb } from '../web/build.ts';

/** Starts the terminal client in the tests. It is bundled with the program, whose code it shares. */
const LAUNCH = 'apps/terminal/test/pty/launch';

export default async function bundleProgram(): Promise<void> {
  if (!process.env.TEST_BUNDLED) return;
  const root = resolve(import.meta.dirname, '../..');
  const target = join(root, '.cache/test-program');
  rmSync(target, { recursive: true, force: true });
  await buildWeb(root, { say: () => {} });
  await bundle(root, target, { [LAUNCH]: `${LAUNCH}.ts` });
  copyFiles(root, target);
  writeManifests(root, target);
  // Workers inherit it; test/harness/program.ts reads it.
  process.env.TEST_PROGRAM = join(target, 'bin/chat-kernel.js');
}
