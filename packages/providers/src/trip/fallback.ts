/**
 * Fallbacks for a request of which the provider refuses a part: an option for a model that nobody described, a schema,
 * or thinking whose signature no longer holds. The trip is made again without that part.
 */
import type { ErrorReport } from './report.ts';

export interface Fallbacks {
  /** Neither thinking nor other metadata of earlier answers goes back. */
  forget: boolean;
  /** No reasoning option is sent. */
  plain: boolean;
  /** No summary of the reasoning is requested; OpenAI gives it to verified organisations only. */
  quiet: boolean;
  /** No schema is sent; the system prompt describes it in words. */
  loose: boolean;
}

/** Names of the schema's field on the four wires, and of the feature in the words of providers. */
const SCHEMA =
  /response[_ ]?format|json[_ ]?schema|response[_ ]?(json[_ ]?)?schema|text\.format|output_(config\.)?format|structured output|json mode|response ?mime ?type/i;

/** Returns the fallback for a refusal; undefined where the refusal is about something else. */
export function fallbackFor({ status, sentence }: ErrorReport): keyof Fallbacks | undefined {
  if (status !== 400 && status !== 422) return undefined;
  // bounded: one start for each word.
  if (/signature|reasoning_content|encrypted.content|redacted_thinking|reasoning['"` ]* item/i.test(sentence))
    return 'forget';
  if (SCHEMA.test(sentence)) return 'loose';
  if (/reasoning[ ._]summar/i.test(sentence)) return 'quiet';
  if (/reasoning|thinking|effort/i.test(sentence)) return 'plain';
  return undefined;
}
