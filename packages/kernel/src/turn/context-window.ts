/** The size of the history in the window of the model, and what a turn has tried to make it smaller. */
import type { Usage } from '@chat-kernel/protocol';
import { estimateTokens, tokensOf } from '../model/token-estimate.ts';
import type { NewMessage } from '../ports/index.ts';

export class ContextWindow {
  #tokens: number | null = null;
  #prefixTokens: number | null = null;
  #hasResults = false;
  #foldFailed = false;

  /**
   * The tokens of the next request: those that the provider counted last, and an estimate for what came since. Null:
   * not known.
   */
  get tokens(): number | null {
    return this.#tokens;
  }

  /** The tokens of the prompt before any message, as the last trip of the turn had them; null before the first. */
  get prefixTokens(): number | null {
    return this.#prefixTokens;
  }

  /** True where tools have answered in this turn, so that there may be outputs to squeeze. */
  get hasResults(): boolean {
    return this.#hasResults;
  }

  /** True where no summary came in this turn: another attempt would cost the same again. */
  get foldFailed(): boolean {
    return this.#foldFailed;
  }

  /** Takes the count of a trip whose provider has counted prompt and reply. */
  counted(usage: Usage, prefixTokens: number): void {
    this.#prefixTokens = prefixTokens;
    this.#tokens = usage.prompt_tokens + usage.completion_tokens;
  }

  estimated(tokens: number): void {
    this.#tokens = tokens;
  }

  /**
   * Adds stored messages. The words of the model were counted with their trip, so only the others add to the size.
   */
  grew(messages: readonly NewMessage[]): void {
    const fromUser = messages.filter(({ role }) => role === 'user');
    this.#hasResults ||= fromUser.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (this.#tokens !== null) this.#tokens += tokensOf(fromUser);
  }

  /**
   * Subtracts squeezed outputs.
   * @param tokens of the window before that
   * @param freedChars that the model is spared
   */
  squeezed(tokens: number, freedChars: number): void {
    this.#tokens = Math.max(0, tokens - estimateTokens(freedChars));
  }

  /** Forgets the size after a fold: nobody has counted what is left. */
  folded(): void {
    this.#tokens = null;
  }

  failedToFold(): void {
    this.#foldFailed = true;
  }
}
