/** Whether a mail is answered: its sender has to be one person, proved, and known. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import type { Incoming } from './incoming.ts';
import { type Sender, senderAt } from './senders.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore } from './store.ts';
import { proofOf } from './who.ts';

/** A proof that cannot be had now, for a name server is away, is tried for so long. */
const PROVE_FOR_MS = 6 * 3600_000;

/** The sender, or why there is no answer, or that nobody can tell now. */
type Admission = { sender: Sender } | { why: string } | 'later';

interface AdmissionServices {
  settings: MailSettings;
  store: MailStore;
  kernel: KernelClient;
}

export async function admissionOf(
  id: number,
  { from, automatic }: Incoming,
  { settings, store, kernel }: AdmissionServices,
): Promise<Admission> {
  const { raw, seen_at, who, person_id } = store.mail(id);
  // What was proved once stays so: keys of signatures are changed, and the turn of the mail may be on.
  if (who !== null && person_id !== null) return { sender: { who, person_id } };
  if (from === null) return { why: 'it has not exactly one sender' };
  if (from === settings.address) return { why: 'it is from the mailbox itself' };
  if (automatic !== null) return { why: automatic };
  const { by, signatures, passing } = await proofOf(raw, from, settings);
  if (by === null) {
    return passing && Date.now() < seen_at + PROVE_FOR_MS ? 'later' : { why: 'nothing proves its sender' };
  }
  for (const signature of signatures) {
    store.run('INSERT OR IGNORE INTO signature VALUES (?, ?)', signature, id);
    const first = store.get<{ mail_id: number }>('SELECT mail_id FROM signature WHERE hash = ?', signature);
    if (first?.mail_id !== id) return { why: 'it was sent before' };
  }
  const sender = await senderAt(from, kernel, settings);
  return sender ? { sender } : { why: 'its sender is unknown' };
}
