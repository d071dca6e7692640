/**
 * Determines the order in which vitest runs the test files of a suite: the longest last, so that an interrupted run has
 * covered most of them. The seed of the run shuffles the others, and inside each file the tests.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by the start of their name; the very longest last. */
const LONGEST = ['test/mail/', 'test/package/', 'test/everyday/', 'test/ci/', 'test/chaos/', 'test/adding/'];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    return files
      .map(file => {
        const name = relative(root, file.moduleId);
        const long = LONGEST.findIndex(start => name.startsWith(start));
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
