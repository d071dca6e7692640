/** Determines the trust in the speaker of a turn. An unknown speaker is never trusted more than a known one. */
import type { PersonRecord } from '../ports/index.ts';

export interface Trust {
  master: boolean;
  trusted: boolean;
}

/** The trust in a speaker who is not known yet. */
export const NO_TRUST: Trust = { master: false, trusted: false };

/**
 * The trust in a speaker (WHO-1). If a turn names a person, only the marks of that person count. A sender without a
 * person is a stranger. Without both, the speaker is the master. For a guest no mark counts, and a guest without sender
 * and person is the master without trust.
 * @param person the person that the turn names; null: a deleted one; undefined: it names none
 */
export function resolveTrust({
  sender,
  guest,
  person,
}: {
  sender: string | undefined;
  guest: boolean;
  person: Pick<PersonRecord, 'master' | 'trusted'> | null | undefined;
}): Trust {
  if (person === undefined) {
    const master = sender === undefined;
    return { master, trusted: master && !guest };
  }
  if (person === null || guest) return NO_TRUST;
  return { master: person.master, trusted: person.master || person.trusted };
}
