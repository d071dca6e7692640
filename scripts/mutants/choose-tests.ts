/** Chooses the test files that may kill a mutant. */
import type { TestCoverage } from './coverage.ts';
import type { Mutation } from './mutations.ts';
import type { Probe } from './probes.ts';

interface Choice {
  /** Cheapest first. */
  tests: TestCoverage[];
  /** How many test files execute the code of the mutant, chosen or not. */
  covering: number;
}

/**
 * Prefers the test files that execute most of the mutant's source file: a file of tests for the whole kernel executes
 * a little of everything, and proves little of it.
 * @param maxFiles 0: all that execute the code
 */
export function choiceOf(probes: readonly Probe[], tests: readonly TestCoverage[], maxFiles: number) {
  const ofFile = Map.groupBy(probes.keys(), number => probes[number]!.file);
  const hits = tests.map(test => new Set(test.hits));
  return ({ file, start, end }: Mutation): Choice => {
    const numbers = ofFile.get(file)!;
    const around = numbers.filter(number => probes[number]!.start <= start && probes[number]!.end >= end);
    const probe = around.reduce((best, number) => (size(number) < size(best) ? number : best));
    const covering = tests
      .map((test, index) => ({ test, hits: hits[index]! }))
      .filter(each => each.test.passed && each.hits.has(probe))
      .map(each => ({ test: each.test, depth: numbers.filter(number => each.hits.has(number)).length }))
      .sort((a, b) => b.depth - a.depth || a.test.durationMs - b.test.durationMs)
      .map(each => each.test);
    const chosen = maxFiles === 0 ? covering : covering.slice(0, maxFiles);
    return { tests: chosen.sort((a, b) => a.durationMs - b.durationMs), covering: covering.length };
  };

  function size(number: number): number {
    return probes[number]!.end - probes[number]!.start;
  }
}
