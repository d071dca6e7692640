/** Trust in the speaker of a turn. An unknown speaker never has more of it than a known one. */
import type { PersonRecord } from '../ports/index.ts';

export interface Trust {
  master: boolean;
  trusted: boolean;
}

/** The trust in a speaker who is not known yet. */
export const NO_TRUST: Trust = { master: false, trusted: false };

/**
 * The trust in a speaker (WHO-1). Where a turn names a person, the marks of that person decide alone; a sender without
 * a person is a stranger; without both the master speaks. For a guest no mark counts, and a guest without a sender and
 * a person is the master who is not trusted.
 * @param person the person that the turn names; null: one that is not there any more; undefined: it names none
 */
export function trustOf({
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
