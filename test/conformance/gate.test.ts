/**
 * Checks that every rule of rules.txt has a test whose title states only that rule, and that no test cites an unknown rule.
 * A rule is a line with its id, in parentheses the part of the project that implements it, and a sentence.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Citation, citations, statesOne } from './citations.ts';

/** The last part whose rules need a test each. */
const CURRENT_PART = 18;

const text = readFileSync(new URL('rules.txt', import.meta.url), 'utf8');
/** The rules: id → part. */
const RULES = new Map(
  [...text.matchAll(/^([A-Z]+-\d+) \((\d+)\) ./gm)].map(([, id, part]) => [id, Number(part)]),
);
const cited = citations(fileURLToPath(new URL('../..', import.meta.url)));

/** Whether one of the tests that cite a rule states only that rule. */
const isStated = (tests: readonly Citation[] = []): boolean => tests.some(statesOne);

test('every line is a rule, a heading or empty, and no id occurs twice', () => {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('# '));
  expect(RULES.size).toBe(lines.length);
});

test('every rule of the parts so far is stated by the title of a test for only that rule', () => {
  const open = [...RULES].filter(([id]) => !isStated(cited.get(id as string)));
  for (const [id, part] of open) {
    if (part > CURRENT_PART) process.stdout.write(`open for part ${part}: ${id}\n`);
  }
  expect(open.filter(([, part]) => part <= CURRENT_PART).map(([id]) => id)).toEqual([]);
});

test('no test cites an unknown rule', () => {
  expect([...cited].filter(([id]) => !RULES.has(id))).toEqual([]);
});

test.each([
  ['[EV-4] usage is sent after each request', true],
  ['a group: [EV-4] usage is sent after each request', true],
  ['[EV-4] [CHAT-7] usage is sent and summed', false],
  ['usage is sent after each request [EV-4]', false],
  ['[EV-4] usage (all tests of it)', false],
  ['[EV-4]', false],
])('a title such as “%s” states one rule: %s', (title, states) => {
  expect(statesOne({ file: 'a.test.ts', title })).toBe(states);
});
