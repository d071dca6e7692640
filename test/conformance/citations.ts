/** Reads from the text of the test files which rules they cite, without running a test. */
import { globSync, readFileSync } from 'node:fs';

export interface Citation {
  /** Path from the root of the checkout. */
  file: string;
  /** The title after those of its groups; with ids, and with placeholders if it is a template of several tests. */
  title: string;
}

/** `[TURN-9]` in a title. */
const CITES = /\[([A-Z]+-\d+)\]/g;
/**
 * The first argument of `test(`, `it(` and `describe(`, or of a call of what `.each(...)` or `.skipIf(...)` returned.
 */
const TITLE =
  /(?:\b(?:test|it|describe)|\))\(\s*(?:'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|`(?<template>(?:\$\{(?:[^{}`]|`[^`]*`)*\}|[^`\\]|\\.)*)`),/g;
/** Suffix of the title of a group that cites a rule for all of its tests. */
const ALL = ' (all tests of it)';
/** The start of a statement that defines tests. */
const STATEMENT = /^( *)(?:test|it|describe)\b/gm;

/** An id, followed by a sentence of at least three words. */
const STATES = /(?:^|: )\[[A-Z]+-\d+\] \S+ \S+ \S/;

/** Whether the title belongs to a test, not a group, and cites only one rule. */
export const statesOne = ({ title }: Citation): boolean =>
  STATES.test(title) && [...title.matchAll(CITES)].length === 1 && !title.endsWith(ALL);

/** Rule id → the tests, by file and title. */
export function citations(root: string): Map<string, Citation[]> {
  const cited = new Map<string, Citation[]>();
  const files = globSync(['{packages,apps}/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root });
  for (const file of files.toSorted()) {
    for (const title of titlesOf(readFileSync(`${root}/${file}`, 'utf8'))) {
      for (const [, id] of title.matchAll(CITES)) {
        cited.set(id as string, [...(cited.get(id as string) ?? []), { file, title }]);
      }
    }
  }
  return cited;
}

/**
 * Returns the titles that cite a rule. The formatter guarantees that tests in a group are indented more than the group.
 */
function titlesOf(source: string): string[] {
  const groups: Found[] = [];
  const titles: string[] = [];
  for (const found of allTitles(source)) {
    const { title, indent, isGroup } = found;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    if (title.search(CITES) !== -1) {
      const whole = [...groups.map(group => group.title.replace(CITES, '').trim()), title].join(': ');
      titles.push(isGroup ? `${whole}${ALL}` : whole);
    }
    if (isGroup) groups.push(found);
  }
  return titles;
}

/** Returns the titles of the tests in a file as written, without those of their groups. */
export const testsIn = (source: string): string[] =>
  [...allTitles(source)].filter(({ isGroup }) => !isGroup).map(({ title }) => title);

interface Found {
  title: string;
  indent: number;
  isGroup: boolean;
}

function* allTitles(source: string): Generator<Found, void> {
  const statements = [...source.matchAll(STATEMENT)];
  for (const match of source.matchAll(TITLE)) {
    const { single, double, template } = match.groups ?? {};
    const title = (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1');
    const statement = statements.findLast(({ index }) => index <= match.index);
    if (statement === undefined) continue;
    const isGroup = statement[0].endsWith('describe');
    yield { title, indent: (statement[1] ?? '').length, isGroup };
  }
}
