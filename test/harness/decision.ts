/**
 * Pins how long each decision lasts and what it covers. Also adds a decision that no table has, to test what a new row
 * does without a new decision in the API.
 */
import type { Decision, DecisionFacts, Reach } from '@chat-kernel/protocol';
import { onTestFinished } from 'vitest';

/** In the order in which they are offered. A wrong row of `DECISION_FACTS` could allow more than its label says. */
export const PINNED_DECISIONS = {
  allow: { lasts: 'once', reach: 'same' },
  allow_session: { lasts: 'process', reach: 'same' },
  allow_always: { lasts: 'always', reach: 'same' },
  allow_prefix: { lasts: 'always', reach: 'prefix' },
  allow_edits: { lasts: 'always', reach: 'edits' },
  deny: { lasts: 'once', reach: 'same' },
} as const satisfies Readonly<Record<Decision, Pick<DecisionFacts, 'lasts' | 'reach'>>>;

const reaching = (...reaches: Reach[]): string[] =>
  Object.entries(PINNED_DECISIONS).flatMap(([name, { reach }]) => (reaches.includes(reach) ? [name] : []));

/** The decisions that the kernel offers: about any operation, about a plain command, about an edit below the working directory. */
export const OFFERED = reaching('same');
export const OFFERED_PREFIX = reaching('same', 'prefix');
export const OFFERED_EDIT = reaching('same', 'edits');

export const DAY_MS = 86_400_000;

/**
 * Adds `allow_today`, which lasts a day, to a table until the test ends. The kernel reads the table of the protocol;
 * clients read their copy of it.
 */
export function addAllowToday(table: object, facts: Partial<DecisionFacts> = {}): 'allow_always' {
  const row = {
    lasts: { ms: DAY_MS },
    reach: 'same',
    key: 't',
    label: 'Allow for today',
    short: 'today',
    past: 'allowed for today',
  };
  const rows = table as Record<string, object>;
  rows.allow_today = { ...row, ...facts };
  onTestFinished(() => void delete rows.allow_today);
  // The types know no such decision.
  return 'allow_today' as 'allow_always';
}
