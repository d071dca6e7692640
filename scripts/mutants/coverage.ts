/**
 * Measures which source code each test file executes: once with probes in the sources, and then from a cache. V8's own
 * coverage does not work here: a killed process loses it, and Vitest moves the code that it runs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Probe, probeModule, withProbes } from './probes.ts';
import { TestRunner } from './test-runner.ts';

export interface TestCoverage {
  file: string;
  /** False for a test file that fails or takes too long without a mutant: its result says nothing about a mutant. */
  passed: boolean;
  durationMs: number;
  /** Numbers of probes. */
  hits: number[];
}

interface Cached extends TestCoverage {
  hash: string;
}

/** A file that takes longer is too slow to be run for each mutant. */
const LIMIT_MS = 30_000;

/**
 * @param tree the copy that the tests run in; its sources have no probes afterwards
 * @param sources file → text
 * @param cache a permanent directory
 */
export async function measureCoverage(
  tree: string,
  sources: ReadonlyMap<string, string>,
  tests: readonly string[],
  cache: string,
): Promise<{ probes: Probe[]; tests: TestCoverage[] }> {
  const probes: Probe[] = [];
  const hits = join(tree, '.probes');
  const module = join(tree, 'probe.js');
  const probed = new Map(
    [...sources].map(([file, text]) => {
      const path = relative(dirname(join(tree, file)), module);
      return [file, withProbes(file, text, path, probes)] as const;
    }),
  );
  const directory = join(cache, hashOf(JSON.stringify([...probed])));
  mkdirSync(directory, { recursive: true });
  const cached = (test: string): string => join(directory, `${test.replaceAll('/', '+')}.json`);
  const measured = new Map(tests.flatMap(test => readCached(cached(test), hashOfTest(test))));
  const missing = tests.filter(test => !measured.has(test));
  if (missing.length > 0) {
    mkdirSync(hits);
    writeFileSync(module, probeModule(hits));
    write(probed);
    const runner = new TestRunner(tree);
    for (const [index, file] of missing.entries()) {
      writeFileSync(join(hits, 'current'), `test${index}`);
      const result = await runner.run({ file, changed: [], bail: false }, LIMIT_MS);
      const coverage = {
        file,
        passed: result?.passed ?? false,
        durationMs: result?.durationMs ?? LIMIT_MS,
        hits: readHits(hits, `test${index}.`),
      };
      measured.set(file, coverage);
      writeFileSync(cached(file), JSON.stringify({ ...coverage, hash: hashOfTest(file) } satisfies Cached));
      const outcome = result
        ? result.passed
          ? 'passes'
          : `fails: ${result.failedTest ?? 'the file'}`
        : 'takes too long';
      console.log(`coverage ${index + 1}/${missing.length} ${file}: ${outcome}, ${coverage.durationMs} ms`);
    }
    runner.close();
    write(sources);
    rmSync(hits, { recursive: true });
    rmSync(module);
  }
  return { probes, tests: tests.map(test => measured.get(test)!) };

  function write(texts: ReadonlyMap<string, string>): void {
    for (const [file, text] of texts) writeFileSync(join(tree, file), text);
  }

  function hashOfTest(test: string): string {
    return hashOf(readFileSync(join(tree, test), 'utf8'));
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function readCached(file: string, hash: string): [string, TestCoverage][] {
  if (!existsSync(file)) return [];
  const cached: Cached = JSON.parse(readFileSync(file, 'utf8'));
  return cached.hash === hash ? [[cached.file, cached]] : [];
}

/** All processes of a test file together. */
function readHits(directory: string, prefix: string): number[] {
  const files = readdirSync(directory).filter(name => name.startsWith(prefix));
  const lines = files.flatMap(name => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1));
  return [...new Set(lines.map(Number))];
}
