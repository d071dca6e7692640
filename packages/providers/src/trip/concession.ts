/**
 * Things that a request can do without where a provider refuses them: an option for a model that nobody
 * described, or thinking whose signature does not hold any more. They are left out, and the trip is made again.
 */
import type { Report } from './report.ts';

export interface Concessions {
  /** No thinking and no other metadata of earlier answers goes back. */
  forget: boolean;
  /** No reasoning option is sent. */
  plain: boolean;
  /** No summary of the reasoning is asked for; OpenAI gives it to verified organisations only. */
  quiet: boolean;
}

/** What this refusal asks to leave out; undefined where it is about something else. */
export function concessionFor({ status, sentence }: Report): keyof Concessions | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (/signature|reasoning_content|encrypted.content|redacted_thinking|reasoning['"` ]* item/i.test(sentence))
    return 'forget';
  if (/reasoning[ ._]summar/i.test(sentence)) return 'quiet';
  if (/reasoning|thinking|effort/i.test(sentence)) return 'plain';
  return undefined;
}
