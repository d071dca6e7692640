/** Reads from the text of the test files which rules they cite, so that no test has to run for it. */
import { globSync, readFileSync } from 'node:fs';

export interface Citation {
  /** From the root of the checkout. */
  file: string;
  /** Behind the groups it stands in; with the ids, and with placeholders where it is one for several tests. */
  title: string;
}

/** `[TURN-9]` in a title. */
export const CITES = /\[([A-Z]+-\d+)\]/g;
/** The first argument of `test(`, `it(` and `describe(`, or of what `.each(...)` and `.skipIf(...)` of them answered. */
const TITLE =
  /(?:\b(?:test|it|describe)|\))\(\s*(?:'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|`(?<template>(?:\$\{(?:[^{}`]|`[^`]*`)*\}|[^`\\]|\\.)*)`),/g;
/** The beginning of a statement that makes tests. */
const STATEMENT = /^( *)(?:test|it|describe)\b/gm;

/** Rule id → the tests, by file and place. */
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

/** Titles that cite a rule. The formatter sees to it that what stands in a group stands further right than the group. */
function titlesOf(source: string): string[] {
  const statements = [...source.matchAll(STATEMENT)];
  const groups: { indent: number; title: string }[] = [];
  const titles: string[] = [];
  for (const match of source.matchAll(TITLE)) {
    const { single, double, template } = match.groups ?? {};
    const title = (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1');
    const statement = statements.findLast(({ index }) => index <= match.index);
    if (statement === undefined) continue;
    const indent = (statement[1] ?? '').length;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    const isGroup = statement[0].endsWith('describe');
    if (title.search(CITES) !== -1) {
      const whole = [...groups.map(group => group.title.replace(CITES, '').trim()), title].join(': ');
      titles.push(isGroup ? `${whole} (all tests of it)` : whole);
    }
    if (isGroup) groups.push({ indent, title });
  }
  return titles;
}
