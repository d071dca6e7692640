/**
 * Checks that existing tests prove each statement of the API document. The folder `statements` has them in the order of
 * the document: an id, the statement in our own words, and on lines with `- ` the tests that prove it, each as its file,
 * ` › ` and its title in the source. Files without a folder are in test/conformance.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testsIn } from './citations.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = fileURLToPath(new URL('statements', import.meta.url));
const BETWEEN = ' › ';

interface Statement {
  id: string;
  says: string;
  by: string[];
}

const STATEMENTS = readdirSync(FOLDER).flatMap(file => {
  const found: Statement[] = [];
  for (const line of readFileSync(`${FOLDER}/${file}`, 'utf8').trimEnd().split('\n')) {
    const [, id, says] = /^([a-z-]+\.\d+) (.+)$/.exec(line) ?? [];
    if (id && says) found.push({ id, says, by: [] });
    else if (line.startsWith('- ')) found.at(-1)?.by.push(line.slice(2));
    else if (!line.startsWith('# ')) throw new Error(`${file} has a line that is no statement: ${line}`);
  }
  return found;
});
const SECTIONS = Object.groupBy(STATEMENTS, ({ id }) => id.slice(0, id.lastIndexOf('.')));

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

test('every statement of the API document is proved by a test', () => {
  expect(STATEMENTS.filter(({ by }) => by.length === 0).map(({ id }) => id)).toEqual([]);
});

test('each of these tests exists exactly once in its file', () => {
  const references = STATEMENTS.flatMap(({ id, by }) => by.map(each => ({ id, each })));
  expect(references.flatMap(({ id, each }) => (wrong(each) ? [`${id}: ${wrong(each)}`] : []))).toEqual([]);
});

test('numbers statements consecutively in each section, without duplicates', () => {
  expect(Object.keys(SECTIONS).length).toBeGreaterThan(30);
  for (const [section, statements = []] of Object.entries(SECTIONS)) {
    expect(statements.map(({ id }) => id)).toEqual(statements.map((_, index) => `${section}.${index + 1}`));
    expect(new Set(statements.map(({ says }) => says)).size, section).toBe(statements.length);
  }
});

test.each([
  ['events.test.ts › no such title', 'is the title of 0 tests'],
  ['no-such-file.test.ts › no such title', 'is the title of 0 tests'],
  ['a title without a file', 'is the title of 0 tests'],
])('the reference “%s” does not resolve', (reference, why) => {
  expect(wrong(reference)).toContain(why);
});
