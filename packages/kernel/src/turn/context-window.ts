/** Tracks how much of the model's context window the history uses, and what a turn has tried to reduce that. */
import type { Usage } from '@chat-kernel/protocol';
import { estimateMessageTokens, estimateTokens } from '../model/token-estimate.ts';
import type { NewMessage } from '../ports/index.ts';

/** A compaction that frees a smaller share of the prompt is not worth its cost. */
const MIN_GAIN_SHARE = 0.1;

export class ContextWindow {
  /**
   * The estimated tokens of the next request: the last count of the provider and an estimate for the messages since.
   * Null: unknown.
   */
  tokens: number | null = null;
  /**
   * The tokens of the prompt before the first message in the last provider request of the turn; null before the first.
   */
  prefixTokens: number | null = null;
  /** True if tools have returned results in this turn, so that there may be output to truncate. */
  hasResults = false;
  /** True if a compaction failed in this turn: another attempt would cost the same again. */
  foldFailed = false;
  /** True if a compaction in this turn freed too little: another one would, too. */
  foldGainsNothing = false;
  #isNoticeTaken = false;
  /** The size before a compaction whose gain is not known yet: the next count of the provider shows it. */
  #foldedFrom: number | null = null;

  /** True for the first call of the turn: the user is notified once that the window is full. */
  takeFullNotice(): boolean {
    const isFirst = !this.#isNoticeTaken;
    this.#isNoticeTaken = true;
    return isFirst;
  }

  /** Records the token count of a request in which the provider counted prompt and reply. */
  counted(usage: Usage, prefixTokens: number): void {
    if (this.#foldedFrom !== null) this.foldFreed(this.#foldedFrom - usage.prompt_tokens, this.#foldedFrom);
    this.prefixTokens = prefixTokens;
    this.tokens = usage.prompt_tokens + usage.completion_tokens;
  }

  estimated(tokens: number): void {
    this.tokens = tokens;
  }

  /**
   * Adds stored messages. The provider request already counted the model's messages, so only the others add to the
   * size.
   */
  grew(messages: readonly NewMessage[]): void {
    const fromUser = messages.filter(({ role }) => role === 'user');
    this.hasResults ||= fromUser.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (this.tokens !== null) this.tokens += estimateMessageTokens(fromUser);
  }

  /**
   * Subtracts truncated tool output.
   * @param tokens the size of the window before
   * @param freedChars the number of characters removed
   */
  squeezed(tokens: number, freedChars: number): void {
    this.tokens = Math.max(0, tokens - estimateTokens(freedChars));
  }

  /**
   * Resets the size after a compaction: the remaining history has not been counted.
   * @param tokens the size before, which the next count is compared with; null: that size was wrong
   */
  folded(tokens: number | null): void {
    this.tokens = null;
    this.#foldedFrom = tokens;
  }

  /** Records how many tokens a compaction has freed. @param tokens the size before */
  foldFreed(freed: number, tokens: number): void {
    this.#foldedFrom = null;
    this.foldGainsNothing ||= !isWorthFolding(freed, tokens);
  }

  failedToFold(): void {
    this.foldFailed = true;
  }
}

/** Whether a compaction of a prompt is worth its cost. */
export const isWorthFolding = (freed: number, tokens: number): boolean => freed >= tokens * MIN_GAIN_SHARE;
