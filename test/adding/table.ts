/** Reads the table "Adding things" of CONTRIBUTING.md. */
import { readFileSync } from 'node:fs';

/** First cell → the files that the row names, as patterns: `<kind>` matches any name. */
export function addingTable(): Map<string, string[]> {
  const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Adding things\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| (.*?) *\|(.*)\|$/gm)].slice(2);
  return new Map(
    rows.map(([, name = '', cells = '']) => [name, [...cells.matchAll(PATH)].map(path => path[1]!)]),
  );
}

/** A path from the root, in a code span or as the target of a link. */
const PATH = /[`(]((?:[\w.<>-]+\/)*[\w.<>-]+\.(?:ts|tsx|md|json))[`)]/g;

/** Whether the row's pattern matches the file. */
export const standsFor = (pattern: string, file: string): boolean =>
  new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/<\w+>/g, '[\\w-]+')}$`).test(file);
