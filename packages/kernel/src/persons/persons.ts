/** Manages persons: found by their ids on surfaces, marked and merged by the user. */
import {
  invalidValue,
  KernelError,
  type MergePerson,
  type PatchPerson,
  type Person,
  type PersonList,
  type ResolvePerson,
} from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { isId } from '../base/ids.ts';
import { type Clock, type PersonRecord, type Store, timestamp } from '../ports/index.ts';

export class Persons {
  readonly #store: Pick<Store, 'persons'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'persons'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Finds the person of an external id. An unknown one is created, neither trusted nor master; concurrent requests get
   * the same person (API-6).
   */
  async resolve({ surface, external_id, name }: ResolvePerson): Promise<Person> {
    checkName(name, '/name');
    const person = await this.#store.persons.resolve({
      id: uuidv4(),
      name: name ?? null,
      master: false,
      trusted: false,
      external_ids: [{ surface, external_id }],
      created_at: timestamp(this.#clock),
    });
    const nameless = person.name === null && name !== undefined;
    const named = nameless ? await this.#store.persons.update(person.id, { name }) : undefined;
    return publicPerson(named ?? person);
  }

  async list(): Promise<PersonList> {
    return { persons: (await this.#store.persons.list()).map(publicPerson) };
  }

  /**
   * Changes marks and name, which apply from the next turn that begins.
   * @throws KernelError not_found, invalid_value
   */
  async patch(id: string, { name, trusted, master }: PatchPerson): Promise<Person> {
    checkName(name, '/name');
    const changes = {
      ...(name !== undefined && { name }),
      ...(trusted !== undefined && { trusted }),
      ...(master !== undefined && { master }),
    };
    const person = isId(id) ? await this.#store.persons.update(id, changes) : undefined;
    if (person === undefined) throw noPerson(id);
    return publicPerson(person);
  }

  /** Gives the other person all external ids and deletes this one. @throws KernelError not_found, invalid_value */
  async merge(id: string, { into }: MergePerson): Promise<Person> {
    const merged = await this.#store.persons.merge(id, into);
    if (merged !== undefined) return publicPerson(merged);
    if ((await this.#store.persons.get(id)) === undefined) throw noPerson(id);
    throw unknownPerson(into, '/into');
  }
}

/** The person that a turn request names; undefined if it names none (TURN-9). @throws KernelError invalid_value */
export async function findPerson(
  id: string | undefined,
  store: Pick<Store, 'persons'>,
): Promise<PersonRecord | undefined> {
  if (id === undefined) return undefined;
  const person = await store.persons.get(id);
  if (person === undefined) throw unknownPerson(id, '/person_id');
  return person;
}

/** The sender of a message of this person without a given sender: it must not count as the master's (WHO-1). */
export function getSenderName({ name, external_ids }: Pick<PersonRecord, 'name' | 'external_ids'>): string {
  const { surface, external_id } = external_ids[0] as PersonRecord['external_ids'][number];
  const sender = name ?? external_id;
  // A surface may have a user with this id, and older kernels used the id as the name.
  return sender.trim() === KERNEL_NAME ? `${sender} (${surface})` : sender;
}

const noPerson = (id: string): KernelError => new KernelError('not_found', `There is no person ${id}.`);

const unknownPerson = (id: string, pointer: string): KernelError =>
  invalidValue(pointer, `There is no person ${id}. POST /v1/persons/resolve returns person ids.`);

const publicPerson = ({ created_at: _, ...person }: PersonRecord): Person => person;

/** The name that signs text of the kernel for the model. No person may have it. */
export const KERNEL_NAME = 'kernel';

/** @param pointer the position of the name in the body @throws KernelError invalid_value */
export function checkName(name: string | null | undefined, pointer: string): void {
  if (name?.trim() !== KERNEL_NAME) return;
  throw invalidValue(
    pointer,
    `The name ${KERNEL_NAME} is reserved for messages of the kernel. Choose another name.`,
  );
}

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
