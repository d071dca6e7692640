/** Trust in the speaker of a turn. An unknown speaker never has more of it than a known one. */
import type { PersonRecord } from '../ports/index.ts';

export interface Trust {
  master: boolean;
  trusted: boolean;
}

/** The trust in a speaker who is not known yet. */
export const NO_TRUST: Trust = { master: false, trusted: false };

/**
 * The trust in a speaker. Without a sender the master speaks; a person may be marked as the master, or as trusted.
 * For a guest no mark counts, and a guest without a sender is the master who is not trusted.
 * @param person the person that the turn names; undefined: none, or a deleted one
 */
export function trustOf({
  sender,
  guest,
  person,
}: {
  sender: string | undefined;
  guest: boolean;
  person: Pick<PersonRecord, 'master' | 'trusted'> | undefined;
}): Trust {
  const marked = guest || sender === undefined ? undefined : person;
  const master = sender === undefined || marked?.master === true;
  return { master, trusted: !guest && (master || marked?.trusted === true) };
}
