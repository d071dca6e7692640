/** Plans a compaction: where to cut a history (HIST-1). Pure, so that tests can try any history. */
import type { Chat, Model } from '@chat-kernel/protocol';
import { renderTranscript } from '../history/summary.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

export interface CompactionPlan {
  /** The messages that become part of the summary; the last of them is its anchor. */
  fold: readonly NewMessage[];
  /** The messages that are kept verbatim. */
  keep: readonly NewMessage[];
}

/**
 * Plans a compaction that keeps the newest messages that fit, and always those of the last turn. The cut is at the
 * start of a turn or, inside a turn that is too long for that, between two steps: never between a call and its result.
 * Null: nothing can be compacted.
 * @param messages the history without its summary
 * @param keepTokens the approximate number of tokens to keep
 * @param wholeTurns true: a history of a single turn is not cut, however long it is
 * @param privateTools tools whose calls are not in summaries
 */
export function planFold(
  messages: readonly NewMessage[],
  keepTokens: number,
  { wholeTurns = false, privateTools = [] }: { wholeTurns?: boolean; privateTools?: readonly string[] } = {},
): CompactionPlan | null {
  // Markers and notes contain nothing to summarize.
  const first = messages.findIndex(message => renderTranscript([message], privateTools).length > 0);
  if (first === -1) return null;
  const cut =
    findTurnCut(first, messages, keepTokens) || (wholeTurns ? 0 : findStepCut(first, messages, keepTokens));
  return cut === 0 ? null : { fold: messages.slice(0, cut), keep: messages.slice(cut) };
}

/** The index of the first message to keep, at the start of a turn; 0: there is no turn before the last one. */
function findTurnCut(first: number, messages: readonly NewMessage[], keepTokens: number): number {
  let kept = 0;
  let cut = 0;
  for (let index = messages.length - 1; index > first; index--) {
    kept += estimateMessageTokens([messages[index] as NewMessage]);
    const isTurnStart = startsTurn(messages, index);
    // The last turn is kept, however long it is; of the turns before it, as many as fit.
    if (isTurnStart && (cut === 0 || kept <= keepTokens)) cut = index;
    if (kept > keepTokens && cut > 0) break;
  }
  return cut;
}

/**
 * The index of the first message to keep in a history of a single turn, whose last steps are kept; 0: it has too few
 * steps.
 */
function findStepCut(first: number, messages: readonly NewMessage[], keepTokens: number): number {
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  let kept = 0;
  let cut = 0;
  for (let index = messages.length - 1; index > Math.max(first, answer); index--) {
    kept += estimateMessageTokens([messages[index] as NewMessage]);
    if (!startsStep(messages, index)) continue;
    if (cut > 0 && kept > keepTokens) break;
    cut = index;
  }
  return cut;
}

/**
 * Whether a turn starts at this message: a user wrote it. Messages of the kernel, such as markers and notes, never
 * start one.
 */
function startsTurn(messages: readonly NewMessage[], index: number): boolean {
  const { role, turn_id, content } = messages[index] as NewMessage;
  const isNewTurn = turn_id === null || turn_id !== messages[index - 1]?.turn_id;
  return isNewTurn && role === 'user' && content.some(isUserContent);
}

const isUserContent = ({ type, internal }: StoredBlock): boolean =>
  type !== 'context' &&
  type !== 'tool_result' &&
  internal?.compaction === undefined &&
  internal?.note === undefined;

/** Whether a step starts at this message: a reply of the model to tool results. */
function startsStep(messages: readonly NewMessage[], index: number): boolean {
  return messages[index]?.role === 'assistant' && messages[index - 1]?.role === 'user';
}

export interface ContextBudget {
  /** The number of tokens from which history is compacted. */
  limit: number;
  /** The approximate number of tokens of history that a compaction keeps verbatim. */
  keep: number;
  /** The number of tokens to which truncation reduces a running turn. */
  squeezed: number;
}

/** The minimum number of tokens that is reserved for the answer. */
const MIN_ANSWER_TOKENS = 1024;

/**
 * The budget in a window. Null if the profile is off: then nothing is compacted automatically.
 * @param at the setting compaction.at, a share of the window
 */
export function roomIn(
  { context_window, max_output_tokens }: Pick<Model, 'context_window' | 'max_output_tokens'>,
  profile: Chat['compaction'],
  at: number,
): ContextBudget | null {
  if (profile === 'off') return null;
  const shares = {
    auto: { limit: at, keep: 0.25 },
    tight: { limit: Math.min(at, 0.5), keep: 0.3 },
    roomy: { limit: Math.max(at, 0.92), keep: 0.5 },
  }[profile];
  // Some models state that an answer may fill the whole window: a tenth of it is reserved for one.
  const answer = Math.max(MIN_ANSWER_TOKENS, Math.min(max_output_tokens, context_window / 10));
  const limit = Math.max(0, Math.floor(Math.min(context_window * shares.limit, context_window - answer)));
  return { limit, keep: Math.floor(limit * shares.keep), squeezed: Math.floor(limit * 0.7) };
}
