/** The list of slash commands, and the documentation of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../src/commands/index.ts';
import { parseMoment } from '../src/commands/turns.ts';

it('has every slash command in the README, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| command \| action \|\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const documented = [...table.matchAll(/`\/([a-z]+)/g)].map(([, name]) => name!);
  expect([...new Set(documented)].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

it('parses the time to sleep, and rejects invalid times', () => {
  const now = Date.parse('2026-01-02T03:04:05.000Z');
  expect(parseMoment('8s', now)).toBe('2026-01-02T03:04:13.000Z');
  expect(parseMoment('30m', now)).toBe('2026-01-02T03:34:05.000Z');
  expect(parseMoment('2030-01-31T07:00:00Z', now)).toBe('2030-01-31T07:00:00.000Z');
  for (const text of ['8x', '8', 'soon', '2030-13-01']) {
    expect(() => parseMoment(text, now)).toThrow('/sleep takes 90s, 30m, 8h, 1d or a time');
  }
  expect(() => parseMoment('0s', now)).toThrow('/sleep 0s is in the past.');
});
