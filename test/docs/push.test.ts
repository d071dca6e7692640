/** Checks that docs/api.md has one row for each reason for a notification. */
import { readFileSync } from 'node:fs';
import { PUSH_REASONS } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const [, rest = ''] = page.split('| `type`, and `on` | urgency | sent |\n|---|---|---|\n');
const rows = new Map(
  [...(rest.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \| (\w+) \| (.*) \|$/gm)].map(
    ([, type = '', urgency, occasion = '']) => [type, { urgency, occasion }],
  ),
);

it('lists all reasons with their urgency', () => {
  const listed = [...rows].map(([type, { urgency }]) => [type, urgency]);
  const reasons = Object.entries(PUSH_REASONS).map(([type, { urgency }]) => [type, urgency]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(reasons));
});

it('names the older reason whose subscribers receive a newer one', () => {
  const unnamed = Object.entries(PUSH_REASONS).filter(
    ([type, { split_from }]) =>
      split_from !== null && !rows.get(type)?.occasion.includes(`\`${split_from}\``),
  );
  expect(unnamed).toEqual([]);
});
