/** Merges a write of a turn with the content of failed writes. */
import type { Usage } from '@chat-kernel/protocol';
import { add } from '../model/pricing.ts';
import type { DaySpend, TurnWrite } from '../ports/index.ts';

/** A write as requested by the turn; the ids of chat and turn and the spend are added. */
export type Write = Omit<TurnWrite, 'turn_id' | 'chat_id' | 'spend' | 'days'>;
export interface WholeWrite extends Write {
  spent: Spent;
  /** The usage of the turn so far, including this write. */
  usage: Usage;
}
/** Spend by day; empty if nothing was spent. */
export type Spent = ReadonlyMap<string, DaySpend>;

/** Merges two writes into one. */
export function mergeWrites(unsaved: WholeWrite | null, next: WholeWrite): WholeWrite {
  if (unsaved === null) return next;
  const append = [...(unsaved.append ?? []), ...(next.append ?? [])];
  return {
    ...unsaved,
    ...next,
    turn: { ...unsaved.turn, ...next.turn },
    ...((unsaved.chat || next.chat) && { chat: { ...unsaved.chat, ...next.chat } }),
    ...(append.length > 0 && { append }),
    spent: addSpent(unsaved.spent, next.spent),
  };
}

export function addSpent(a: Spent, b: Spent): Spent {
  const both = new Map(a);
  for (const [day, used] of b) {
    const before = both.get(day);
    both.set(day, before === undefined ? used : { ...used, ...add(before, used) });
  }
  return both;
}
