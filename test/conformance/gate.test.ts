/** The gate: a rule of the parts so far without a test fails, and so does a test of a rule that is not there. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CURRENT_PART, RULES } from './rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** An id in a string: `[TURN-9]`, behind the quote that opens the title. */
const CITED = /(?<=^(?!\s*(?:\/\/|\*)).*['"`].*)\[([A-Z]+-\d+)\]/gm;

/** Rule id → the files whose titles cite it. */
function citations(): Map<string, string[]> {
  const cited = new Map<string, string[]>();
  const files = globSync(['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT });
  for (const file of files.filter(name => !name.endsWith('gate.test.ts'))) {
    for (const [, id] of readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(CITED)) {
      cited.set(id as string, [...(cited.get(id as string) ?? []), file]);
    }
  }
  return cited;
}

test('every rule of the parts so far is cited by a test', () => {
  const cited = citations();
  const open = Object.entries(RULES).filter(([id]) => !cited.has(id));
  const later = open.filter(([, [part]]) => part > CURRENT_PART);
  for (const [part, rules] of Object.entries(Object.groupBy(later, ([, [part]]) => part))) {
    process.stdout.write(`open for part ${part}: ${rules?.map(([id]) => id).join(' ')}\n`);
  }
  expect(open.filter(([, [part]]) => part <= CURRENT_PART).map(([id]) => id)).toEqual([]);
});

test('no test cites a rule that is not there', () => {
  const unknown = [...citations()].filter(([id]) => !(id in RULES));
  expect(unknown).toEqual([]);
});
