/** The list of slash commands, and the documentation of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../src/commands/index.ts';

it('has every slash command in the README, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| command \| does \|\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const documented = [...table.matchAll(/`\/([a-z]+)/g)].map(([, name]) => name!);
  expect([...new Set(documented)].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});
