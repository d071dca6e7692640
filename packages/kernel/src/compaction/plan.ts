/** The plan of a fold: where a history is cut (HIST-1). It is pure, so that tests can try any history. */

import { transcriptOf } from '../history/summary.ts';
import { tokensOf } from '../model/token-estimate.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

interface FoldPlan {
  /** The messages that become part of the summary; the last of them is its anchor. */
  fold: readonly NewMessage[];
  /** The messages that stay word for word. */
  keep: readonly NewMessage[];
}

/**
 * Plans a fold that keeps the newest messages that fit, and always those of the last turn. The cut is where a turn
 * begins, or, inside a turn that is too long for that, between two steps: never between a call and its result. Null:
 * nothing can be folded.
 * @param messages the history without its summary
 * @param keepTokens about so many tokens are kept
 * @param wholeTurns a history of a single turn is not cut, however long it is
 */
export function planFold(
  messages: readonly NewMessage[],
  keepTokens: number,
  { wholeTurns = false } = {},
): FoldPlan | null {
  // Markers and notes alone give nothing to sum up.
  const first = messages.findIndex(message => transcriptOf([message]).length > 0);
  if (first === -1) return null;
  const cut =
    turnAfter(first, messages, keepTokens) || (wholeTurns ? 0 : stepAfter(first, messages, keepTokens));
  return cut === 0 ? null : { fold: messages.slice(0, cut), keep: messages.slice(cut) };
}

/** The index of the first message to keep, where a turn begins; 0: there is no turn before the last one. */
function turnAfter(first: number, messages: readonly NewMessage[], keepTokens: number): number {
  let kept = 0;
  let cut = 0;
  for (let index = messages.length - 1; index > first; index--) {
    kept += tokensOf([messages[index] as NewMessage]);
    const begins = beginsTurn(messages, index);
    // The last turn stays, however long it is; of the turns before it, as many as fit.
    if (begins && (cut === 0 || kept <= keepTokens)) cut = index;
    if (kept > keepTokens && cut > 0) break;
  }
  return cut;
}

/**
 * The index of the first message to keep in a history of a single turn, whose last steps are kept; 0: it has too few
 * steps.
 */
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

/** Whether a turn begins here: a person speaks. Messages of the kernel, such as markers and notes, begin nothing. */
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

/** Whether a step begins here: an answer of the model that follows results. */
function beginsStep(messages: readonly NewMessage[], index: number): boolean {
  return messages[index]?.role === 'assistant' && messages[index - 1]?.role === 'user';
}
