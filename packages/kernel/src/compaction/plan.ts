/** Where a history is cut when it is folded: pure, so that any history can be tried (HIST-1). */

import { transcriptOf } from '../history/summary.ts';
import { tokensOf } from '../model/token-estimate.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

interface FoldPlan {
  /** What becomes part of the summary; its last one is the anchor. */
  fold: readonly NewMessage[];
  /** What stays word for word. */
  keep: readonly NewMessage[];
}

/**
 * Keeps the newest messages that fit, and always those of the last turn. The cut is where a turn begins, or, inside
 * a turn that is too long for that, between two steps: never between a call and its result. Null: nothing to fold.
 * @param messages what the model is told now, without the summary
 * @param keepTokens about so many are kept
 * @param wholeTurns a turn that is all there is stays whole, however long it is
 */
export function planFold(
  messages: readonly NewMessage[],
  keepTokens: number,
  { wholeTurns = false } = {},
): FoldPlan | null {
  // Markers and notes alone are nothing to sum up.
  const first = messages.findIndex(message => transcriptOf([message]).length > 0);
  if (first === -1) return null;
  const cut =
    turnAfter(first, messages, keepTokens) || (wholeTurns ? 0 : stepAfter(first, messages, keepTokens));
  return cut === 0 ? null : { fold: messages.slice(0, cut), keep: messages.slice(cut) };
}

/** Behind the first message that can be folded; 0: there is no turn before the last one. */
function turnAfter(first: number, messages: readonly NewMessage[], keepTokens: number): number {
  let kept = 0;
  let cut = 0;
  for (let index = messages.length - 1; index > first; index--) {
    kept += tokensOf([messages[index] as NewMessage]);
    const begins = beginsTurn(messages, index);
    // The last turn stays, as long as it is; of what is before it, whatever fits.
    if (begins && (cut === 0 || kept <= keepTokens)) cut = index;
    if (kept > keepTokens && cut > 0) break;
  }
  return cut;
}

/** One turn is all there is: its last steps are kept. */
function stepAfter(first: number, messages: readonly NewMessage[], keepTokens: number): number {
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  let kept = 0;
  let cut = 0;
  for (let index = messages.length - 1; index > Math.max(first, answer); index--) {
    kept += tokensOf([messages[index] as NewMessage]);
    if (!beginsStep(messages, index)) continue;
    if (cut > 0 && kept > keepTokens) break;
    cut = index;
  }
  return cut;
}

/** Somebody speaks. What only the kernel wrote, such as a marker or a note, begins nothing. */
function beginsTurn(messages: readonly NewMessage[], index: number): boolean {
  const { role, turn_id, content } = messages[index] as NewMessage;
  const another = turn_id === null || turn_id !== messages[index - 1]?.turn_id;
  return another && role === 'user' && content.some(isSpoken);
}

const isSpoken = ({ type, internal }: StoredBlock): boolean =>
  type !== 'context' &&
  type !== 'tool_result' &&
  internal?.compaction === undefined &&
  internal?.note === undefined;

/** An answer of the model that follows results, or what the kernel has put behind them. */
function beginsStep(messages: readonly NewMessage[], index: number): boolean {
  return messages[index]?.role === 'assistant' && messages[index - 1]?.role === 'user';
}
