/** Checks that existing tests prove each statement of the API document. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testsIn } from './citations.ts';
import { STATEMENTS } from './statements/index.ts';
import { BETWEEN, type Statement } from './statements/statement.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECTIONS = Object.groupBy(Object.entries(STATEMENTS), ([id]) => id.slice(0, id.lastIndexOf('.')));

const titles = new Map<string, string[]>();
function titlesOf(file: string): string[] {
  const known = titles.get(file);
  if (known) return known;
  const path = `${ROOT}/${file.includes('/') ? file : `test/conformance/${file}`}`;
  const found = existsSync(path) ? testsIn(readFileSync(path, 'utf8')) : [];
  titles.set(file, found);
  return found;
}

/** Describes what is wrong with a reference; undefined if it names exactly one test. */
function wrong(reference: string): string | undefined {
  const at = reference.indexOf(BETWEEN);
  const [file, title] = [reference.slice(0, at), reference.slice(at + BETWEEN.length)];
  const found = at === -1 ? [] : titlesOf(file).filter(each => each === title);
  return found.length === 1 ? undefined : `${reference} is the title of ${found.length} tests`;
}

test('every statement of the API document is proved by a test, or has a reason for an exception', () => {
  const open = Object.entries(STATEMENTS).filter(([, { by, exception }]) => by.length === 0 && !exception);
  expect(open.map(([id]) => id)).toEqual([]);
  const excepted = Object.entries<Statement>(STATEMENTS).filter(([, { exception }]) => exception);
  for (const [id, { exception }] of excepted) process.stdout.write(`exception ${id}: ${exception}\n`);
});

test('each of these tests exists exactly once in its file', () => {
  const references = Object.entries(STATEMENTS).flatMap(([id, { by }]) => by.map(each => ({ id, each })));
  expect(references.flatMap(({ id, each }) => (wrong(each) ? [`${id}: ${wrong(each)}`] : []))).toEqual([]);
});

test('numbers statements consecutively in each section, without duplicates', () => {
  expect(Object.keys(SECTIONS).length).toBeGreaterThan(30);
  for (const [section, statements = []] of Object.entries(SECTIONS)) {
    expect(statements.map(([id]) => id)).toEqual(statements.map((_, index) => `${section}.${index + 1}`));
    const said = statements.map(([, { says }]) => says);
    expect(said.filter((each, index) => said.indexOf(each) !== index)).toEqual([]);
  }
});

test.each([
  ['events.test.ts › no such title', 'is the title of 0 tests'],
  ['no-such-file.test.ts › no such title', 'is the title of 0 tests'],
  ['a title without a file', 'is the title of 0 tests'],
])('the reference “%s” does not resolve', (reference, why) => {
  expect(wrong(reference)).toContain(why);
});
