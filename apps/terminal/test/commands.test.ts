/** The list of slash commands, and the documentation of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../src/commands/index.ts';
import { momentOf } from '../src/commands/turns.ts';

it('has every slash command in the README, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| command \| does \|\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const documented = [...table.matchAll(/`\/([a-z]+)/g)].map(([, name]) => name!);
  expect([...new Set(documented)].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

it('reads how long the kernel is to sleep, and refuses what it cannot read', () => {
  const now = Date.parse('2026-01-02T03:04:05.000Z');
  expect(momentOf('8s', now)).toBe('2026-01-02T03:04:13.000Z');
  expect(momentOf('30m', now)).toBe('2026-01-02T03:34:05.000Z');
  expect(momentOf('2030-01-31T07:00:00Z', now)).toBe('2030-01-31T07:00:00.000Z');
  for (const text of ['8x', '8', 'soon', '2030-13-01']) {
    expect(() => momentOf(text, now)).toThrow('/sleep takes 90s, 30m, 8h, 1d or a moment');
  }
  expect(() => momentOf('0s', now)).toThrow('/sleep 0s is over already.');
});
