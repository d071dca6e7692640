/** How much of a model's window a history may fill, by the profile of its chat. */
import type { Chat, Model } from '@chat-kernel/protocol';

export interface Room {
  /** From so many tokens on, history is folded. */
  limit: number;
  /** About so many tokens of it are kept word for word. */
  keep: number;
  /** What squeezing brings a running turn down to. */
  squeezed: number;
}

/** Never less than this is left for the answer. */
const LEAST_ANSWER_TOKENS = 1024;

/** Null: the profile is off, and nothing is folded by itself. @param at the setting compaction.at, a share */
export function roomIn(
  { context_window, max_output_tokens }: Pick<Model, 'context_window' | 'max_output_tokens'>,
  profile: Chat['compaction'],
  at: number,
): Room | null {
  if (profile === 'off') return null;
  const shares = {
    auto: { limit: at, keep: 0.25 },
    tight: { limit: Math.min(at, 0.5), keep: 0.3 },
    roomy: { limit: Math.max(at, 0.92), keep: 0.5 },
  }[profile];
  // Some models say that an answer may fill the whole window: a tenth of it is kept free for one.
  const answer = Math.max(LEAST_ANSWER_TOKENS, Math.min(max_output_tokens, context_window / 10));
  const limit = Math.max(0, Math.floor(Math.min(context_window * shares.limit, context_window - answer)));
  return { limit, keep: Math.floor(limit * shares.keep), squeezed: Math.floor(limit * 0.7) };
}
