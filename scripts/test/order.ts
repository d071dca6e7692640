/**
 * Determines the order in which vitest runs the test files: the most important ones run first, so that an interrupted
 * run has covered them. Inside a group the files are shuffled by the seed of the run, and so are the tests inside each
 * file.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files by the start of their name, in order; the last group has all others. Its files are short, so that a run does
 * not end with a single long file.
 */
const GROUPS = [
  'packages/',
  'test/conformance/',
  'test/chaos/',
  'test/adding/',
  'test/package/',
  'test/mail/',
  'test/ci/',
  '',
];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    return files
      .map(file => {
        const name = relative(root, file.moduleId);
        return {
          file,
          group: GROUPS.findIndex(start => name.startsWith(start)),
          key: mix(name, sequence.seed),
        };
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
