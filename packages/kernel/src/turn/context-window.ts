/** Tracks how much of the model's context window the history uses, and what a turn has tried to reduce that. */
import type { Usage } from '@chat-kernel/protocol';
import { estimateMessageTokens, estimateTokens } from '../model/token-estimate.ts';
import type { NewMessage } from '../ports/index.ts';

export class ContextWindow {
  #tokens: number | null = null;
  #prefixTokens: number | null = null;
  #hasResults = false;
  #foldFailed = false;

  /**
   * The estimated tokens of the next request: the last count of the provider and an estimate for the messages since.
   * Null: unknown.
   */
  get tokens(): number | null {
    return this.#tokens;
  }

  /**
   * The tokens of the prompt before the first message in the last provider request of the turn; null before the first.
   */
  get prefixTokens(): number | null {
    return this.#prefixTokens;
  }

  /** True if tools have returned results in this turn, so that there may be output to truncate. */
  get hasResults(): boolean {
    return this.#hasResults;
  }

  /** True if a compaction failed in this turn: another attempt would cost the same again. */
  get foldFailed(): boolean {
    return this.#foldFailed;
  }

  /** Records the token count of a request in which the provider counted prompt and reply. */
  counted(usage: Usage, prefixTokens: number): void {
    this.#prefixTokens = prefixTokens;
    this.#tokens = usage.prompt_tokens + usage.completion_tokens;
  }

  estimated(tokens: number): void {
    this.#tokens = tokens;
  }

  /**
   * Adds stored messages. The provider request already counted the model's messages, so only the others add to the
   * size.
   */
  grew(messages: readonly NewMessage[]): void {
    const fromUser = messages.filter(({ role }) => role === 'user');
    this.#hasResults ||= fromUser.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (this.#tokens !== null) this.#tokens += estimateMessageTokens(fromUser);
  }

  /**
   * Subtracts truncated tool output.
   * @param tokens the size of the window before
   * @param freedChars the number of characters removed
   */
  squeezed(tokens: number, freedChars: number): void {
    this.#tokens = Math.max(0, tokens - estimateTokens(freedChars));
  }

  /** Resets the size after a compaction: the remaining history has not been counted. */
  folded(): void {
    this.#tokens = null;
  }

  failedToFold(): void {
    this.#foldFailed = true;
  }
}
