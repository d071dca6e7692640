/**
 * Determines the order in which vitest runs the test files of a suite: long ones after the others, so that an interrupted
 * run has covered most of them, and the longest of these first, so that it does not run alone at the end. The seed of the
 * run shuffles the others, and inside each file the tests.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where the long files are; the longest first. */
const LONG = ['test/chaos/', 'test/ci/', 'test/adding/', 'test/package/', 'test/everyday/', 'test/mail/'];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    return files
      .map(file => {
        const name = relative(root, file.moduleId);
        const long = LONG.findIndex(start => name.startsWith(start));
        return { file, group: long, key: mix(name, sequence.seed) };
      })
      .toSorted((a, b) => a.group - b.group || a.key - b.key)
      .map(({ file }) => file);
  }
}

/** Hashes the name and the seed, so that one seed always gives one order (FNV-1a). */
function mix(name: string, seed: number): number {
  let hash = 0x811c9dc5;
  for (const char of `${seed}:${name}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
