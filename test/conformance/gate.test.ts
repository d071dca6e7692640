/** Checks that every rule has a test whose title states only that rule, and that no test cites an unknown rule. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Citation, citations, statesOne } from './citations.ts';
import { CURRENT_PART, RULES } from './rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const cited = citations(ROOT);

/** Whether one of the tests that cite a rule states only that rule. */
const isStated = (tests: readonly Citation[] = []): boolean => tests.some(statesOne);

test('every rule of the parts so far is stated by the title of a test for only that rule', () => {
  const open = Object.entries(RULES).filter(([id]) => !isStated(cited.get(id)));
  const later = open.filter(([, [part]]) => part > CURRENT_PART);
  for (const [part, rules] of Object.entries(Object.groupBy(later, ([, [part]]) => part))) {
    process.stdout.write(`open for part ${part}: ${rules?.map(([id]) => id).join(' ')}\n`);
  }
  expect(open.filter(([, [part]]) => part <= CURRENT_PART).map(([id]) => id)).toEqual([]);
});

test('no test cites an unknown rule', () => {
  const unknown = [...cited].filter(([id]) => !Object.hasOwn(RULES, id));
  expect(unknown).toEqual([]);
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
