/** Maps a mail address to a sender: the master, a person whom the kernel knows, or neither. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import type { MailSettings } from './settings.ts';

export const SURFACE = 'mail';

export interface Sender {
  /** The same for all addresses of the master: `master`; otherwise the id of the person. */
  who: string;
  person_id: string;
}

/** Finds the sender for a verified address. Undefined: the kernel does not know the address. */
export async function senderAt(
  address: string,
  kernel: KernelClient,
  { owner }: Pick<MailSettings, 'owner'>,
): Promise<Sender | undefined> {
  if (owner.includes(address)) {
    const { id, master } = await kernel.resolvePerson({ surface: SURFACE, external_id: address });
    // The settings file defines the master.
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
