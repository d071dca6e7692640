/** How full the window of the model is with the history of the turn's chat, and what can be done about it. */
import type { Usage } from '@chat-kernel/protocol';
import { estimateTokens, tokensOf } from '../model/token-estimate.ts';
import type { NewMessage } from '../ports/index.ts';

export class ContextWindow {
  #tokens: number | null = null;
  #prefixTokens: number | null = null;
  #hasResults = false;
  #foldFailed = false;

  /** Tokens of the next request: as the provider counted last, plus an estimate of what came since. Null: not known. */
  get tokens(): number | null {
    return this.#tokens;
  }

  /** Tokens of the prompt before any message, as the last trip of the turn had them; null before the first. */
  get prefixTokens(): number | null {
    return this.#prefixTokens;
  }

  /** Tools have answered in this turn, so there may be outputs to squeeze. */
  get hasResults(): boolean {
    return this.#hasResults;
  }

  /** No summary came in this turn: another attempt would cost the same again. */
  get foldFailed(): boolean {
    return this.#foldFailed;
  }

  /** A trip has ended: its provider has counted prompt and reply. */
  counted(usage: Usage, prefixTokens: number): void {
    this.#prefixTokens = prefixTokens;
    this.#tokens = usage.prompt_tokens + usage.completion_tokens;
  }

  estimated(tokens: number): void {
    this.#tokens = tokens;
  }

  /** Messages were stored. The words of the model were counted with their trip, so that only the others weigh. */
  grew(messages: readonly NewMessage[]): void {
    const fromUser = messages.filter(({ role }) => role === 'user');
    this.#hasResults ||= fromUser.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (this.#tokens !== null) this.#tokens += tokensOf(fromUser);
  }

  /** Outputs were squeezed. @param tokens of the window before that @param freedChars that the model is spared */
  squeezed(tokens: number, freedChars: number): void {
    this.#tokens = Math.max(0, tokens - estimateTokens(freedChars));
  }

  /** The older history was folded: nobody has counted what is left. */
  folded(): void {
    this.#tokens = null;
  }

  failedToFold(): void {
    this.#foldFailed = true;
  }
}
