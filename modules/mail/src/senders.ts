/** Whom a mail is from, as the kernel knows people: the master, a person who was made known to it, or nobody. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import type { MailSettings } from './settings.ts';

export const SURFACE = 'mail';

export interface Sender {
  /** Of all addresses of the master the same: `master`, else the id of the person. */
  who: string;
  person_id: string;
}

/** Whom an address belongs to that was proved to be the sender's; undefined: to nobody that the kernel knows. */
export async function senderAt(
  address: string,
  kernel: KernelClient,
  { owner }: Pick<MailSettings, 'owner'>,
): Promise<Sender | undefined> {
  if (owner.includes(address)) {
    const { id, master } = await kernel.resolvePerson({ surface: SURFACE, external_id: address });
    // Whoever writes the file of settings says who the master is.
    if (!master) await kernel.patchPerson(id, { master: true });
    return { who: MASTER, person_id: id };
  }
  const { persons } = await kernel.listPersons();
  const person = persons.find(({ external_ids }) =>
    external_ids.some(
      ({ surface, external_id }) => surface === SURFACE && external_id.toLowerCase() === address,
    ),
  );
  return person && { who: person.master ? MASTER : person.id, person_id: person.id };
}

export const MASTER = 'master';
