/** Pins how long each decision lasts and what it covers. */
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

/** Adds a decision to a table until the test ends, to test what a new row does. Clients have their copy of the table. */
export function addAllowToday(table: Record<string, object>): void {
  const facts = { lasts: 'process', reach: 'same', short: 'today', past: 'allowed for today' };
  table.allow_today = { ...facts, key: 't', label: 'Allow for today' };
  onTestFinished(() => void delete table.allow_today);
}
