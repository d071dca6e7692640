/**
 * Fallbacks for a request if the provider refuses a part of it: an option for an undescribed model, a schema, or
 * thinking with an expired signature. The request is repeated without that part.
 */
import type { ErrorReport } from './report.ts';

export interface Fallbacks {
  /** Neither thinking nor other metadata of earlier answers is sent back. */
  forget: boolean;
  /** No reasoning option is sent. */
  plain: boolean;
  /** No summary of the reasoning is requested; OpenAI returns it only to verified organizations. */
  quiet: boolean;
  /** No schema is sent; the system prompt describes it as text. */
  loose: boolean;
  /** The limit of the answer is sent as max_completion_tokens: newer models behind a gateway refuse max_tokens. */
  renamed: boolean;
}

/** Names of the schema's field in the four APIs, and of the feature in providers' messages. */
const SCHEMA =
  /response[_ ]?format|json[_ ]?schema|response[_ ]?(json[_ ]?)?schema|text\.format|output_(config\.)?format|structured output|json mode|response ?mime ?type/i;

/** Returns the fallback for a refusal; undefined if the refusal has another reason. */
export function fallbackFor({ status, sentence }: ErrorReport): keyof Fallbacks | undefined {
  if (status !== 400 && status !== 422) return undefined;
  // bounded: one start for each word.
  if (/signature|reasoning_content|encrypted.content|redacted_thinking|reasoning['"` ]* item/i.test(sentence))
    return 'forget';
  if (/max_completion_tokens/.test(sentence)) return 'renamed';
  if (SCHEMA.test(sentence)) return 'loose';
  if (/reasoning[ ._]summar/i.test(sentence)) return 'quiet';
  if (/reasoning|thinking|effort/i.test(sentence)) return 'plain';
  return undefined;
}
