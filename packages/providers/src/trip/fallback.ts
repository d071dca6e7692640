/**
 * Things that a request can do without where a provider refuses them: an option for a model that nobody
 * described, a schema, or thinking whose signature does not hold any more. They are left out, and the trip is made again.
 */
import type { Report } from './report.ts';

export interface Concessions {
  /** No thinking and no other metadata of earlier answers goes back. */
  forget: boolean;
  /** No reasoning option is sent. */
  plain: boolean;
  /** No summary of the reasoning is asked for; OpenAI gives it to verified organisations only. */
  quiet: boolean;
  /** No schema is sent; the model is told of it in words. */
  loose: boolean;
}

/** Names of the field on the four wires, and what providers call the feature. */
const SCHEMA =
  /response[_ ]?format|json[_ ]?schema|response[_ ]?(json[_ ]?)?schema|text\.format|output_(config\.)?format|structured output|json mode|response ?mime ?type/i;

/** What this refusal asks to leave out; undefined where it is about something else. */
export function concessionFor({ status, sentence }: Report): keyof Concessions | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (/signature|reasoning_content|encrypted.content|redacted_thinking|reasoning['"` ]* item/i.test(sentence))
    return 'forget';
  if (SCHEMA.test(sentence)) return 'loose';
  if (/reasoning[ ._]summar/i.test(sentence)) return 'quiet';
  if (/reasoning|thinking|effort/i.test(sentence)) return 'plain';
  return undefined;
}
