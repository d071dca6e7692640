/** Tests the parts of the mutation runner: which changes it makes, and what its probes report. */
import { expect, it } from 'vitest';
import { choiceOf } from '../scripts/mutants/choose-tests.ts';
import { mutationsOf } from '../scripts/mutants/mutations.ts';
import { type Probe, withProbes } from '../scripts/mutants/probes.ts';
import { sample } from '../scripts/mutants/sample.ts';
import { applyEdits } from '../scripts/mutants/splice.ts';

/** The texts that remain after each mutation of the text. */
const mutants = (text: string): string[] =>
  mutationsOf('a.ts', text).map(mutation => applyEdits(text, [mutation]));

it('mutates conditions, operators and literals', () => {
  expect(mutants('x = a && b;')).toEqual(['{}', 'x = (a || b);']);
  expect(mutants('if (a) b = 1;')).toEqual(['if (!(a)) b = 1;', 'if (a) {}', 'if (a) b = 2;']);
  expect(mutants('const c = a < 500;')).toEqual(['const c = a <= 500;', 'const c = a < 0;']);
  expect(mutants("const c = !a === 'b';")).toEqual([
    "const c = !a !== 'b';",
    "const c = a === 'b';",
    "const c = !a === '';",
  ]);
});

it('removes early returns and keeps the last one', () => {
  expect(mutants('function f() { if (a()) { return b; } return c; }')).toEqual([
    'function f() { if (!(a())) { return b; } return c; }',
    'function f() { if (a()) { {} } return c; }',
  ]);
});

it('leaves types, imports, log calls and prose unchanged', () => {
  const text = `import { a } from './a.ts';
    type A = 'b' | 1;
    this.#log.warn({ code: 'c' }, 'failed');
    const words = 'Text for people.';`;
  expect(mutants(text)).toEqual([]);
});

it('reports each block, statement and arrow function that runs', () => {
  const text = `const f = (a: number) => a;
    function g(a: boolean): number {
      if (a) return 1;
      return f(2);
    }
    result = g(ARGUMENT);`;
  const probes: Probe[] = [];
  const code = withProbes('a.ts', text, './probe.js', probes).replace(/^import .*?;/, '');
  const plain = code.replaceAll(/: (number|boolean)/g, '').replace('result =', 'return');
  const runWith = (argument: string): string[] => {
    const seen = new Set<number>();
    const run = new Function('__probe', plain.replace('ARGUMENT', argument));
    expect(run((number: number) => seen.add(number))).toBe(argument === 'true' ? 1 : 2);
    return [...seen].map(number => text.slice(probes[number]!.start, probes[number]!.end));
  };
  expect(runWith('true')).toContain('return 1;');
  expect(runWith('true')).not.toContain('return f(2);');
  expect(runWith('false')).toContain('return f(2);');
  expect(runWith('false')).toContain('(a: number) => a');
  expect(runWith('false')).not.toContain('return 1;');
});

it('draws the same sample with the same seed, without invalid mutants', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  const isEven = (number: number): boolean => number % 2 === 0;
  const drawn = sample(numbers, 20, 7, isEven);
  expect(new Set(drawn).size).toBe(20);
  expect(drawn.every(isEven)).toBe(true);
  expect(sample(numbers, 10, 7, isEven)).toEqual(drawn.slice(0, 10));
  expect(sample(numbers, 20, 8, isEven)).not.toEqual(drawn);
  expect(sample(numbers, 1000, 7, isEven)).toHaveLength(50);
});

it('chooses the tests that execute most of the file, cheapest first', () => {
  const probes: Probe[] = [
    { file: 'a.ts', start: 0, end: 100 },
    { file: 'a.ts', start: 10, end: 50 },
    { file: 'a.ts', start: 60, end: 90 },
  ];
  const test = (file: string, durationMs: number, hits: number[], passed = true) => ({
    file,
    durationMs,
    hits,
    passed,
  });
  const tests = [
    test('elsewhere', 1, [0, 2]),
    test('shallow', 1, [0, 1]),
    test('deep', 9, [0, 1, 2]),
    test('deep and cheap', 5, [0, 1, 2]),
    test('failing', 1, [0, 1, 2], false),
  ];
  const mutation = { file: 'a.ts', start: 20, end: 25, replacement: ';', line: 1, change: '' };
  const { tests: chosen, covering } = choiceOf(probes, tests, 2)(mutation);
  expect(chosen.map(({ file }) => file)).toEqual(['deep and cheap', 'deep']);
  expect(covering).toBe(3);
  expect(choiceOf(probes, tests, 0)(mutation).tests).toHaveLength(3);
});
