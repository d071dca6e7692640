/** The gate: a rule of the parts so far without a test fails, and so does a test of a rule that is not there. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { citations } from './citations.ts';
import { CURRENT_PART, RULES } from './rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
test('every rule of the parts so far is cited by a test', () => {
  const cited = citations(ROOT);
  const open = Object.entries(RULES).filter(([id]) => !cited.has(id));
  const later = open.filter(([, [part]]) => part > CURRENT_PART);
  for (const [part, rules] of Object.entries(Object.groupBy(later, ([, [part]]) => part))) {
    process.stdout.write(`open for part ${part}: ${rules?.map(([id]) => id).join(' ')}\n`);
  }
  expect(open.filter(([, [part]]) => part <= CURRENT_PART).map(([id]) => id)).toEqual([]);
});

test('no test cites a rule that is not there', () => {
  const unknown = [...citations(ROOT)].filter(([id]) => !Object.hasOwn(RULES, id));
  expect(unknown).toEqual([]);
});
