/** Decides whether to answer an email: it must have exactly one sender, who is verified and known. */
import { isRetryable } from '@chat-kernel/client';
import type { Confirmations } from './confirmations.ts';
import { type Incoming, parseMail } from './incoming.ts';
import { MASTER, type Sender, senderAt } from './sender-identity.ts';
import type { MailServices } from './services.ts';
import { type Proof, verifySender } from './verify-sender.ts';

/** How long to retry the verification of a sender, for example while a name server does not respond. */
const PROVE_FOR_MS = 6 * 3600_000;

/**
 * The sender, with the part of the email that counts. Or the reason for ignoring it, `later` if the check is not possible
 * now, or `asked` while the owner has not confirmed the email.
 */
type Admission = { sender: Sender; mail: Uint8Array } | { why: string } | 'later' | 'asked';

type AdmissionServices = Pick<MailServices, 'settings' | 'store' | 'kernel'> & {
  confirmations: Confirmations;
};

/** @param incoming with all headers: they may only speak against the email */
export async function admitMail(
  id: number,
  { from, automatic }: Incoming,
  services: AdmissionServices,
): Promise<Admission> {
  const { settings, store, kernel } = services;
  const { raw, seen_at, who, person_id } = store.mail(id);
  // A verified sender stays verified: signature keys change, and the turn of the email may be running.
  if (who !== null && person_id !== null) return { sender: { who, person_id }, mail: raw };
  if (from === null) return { why: 'the From header does not have exactly one address' };
  if (from === settings.address) return { why: 'it was sent from this mailbox' };
  if (automatic !== null) return { why: automatic };
  const mayTryLater = Date.now() < seen_at + PROVE_FOR_MS;
  const proof = await verifySender(raw, from, seen_at, settings);
  if ('why' in proof) return proof.isTemporary && mayTryLater ? 'later' : { why: proof.why };
  try {
    const sender = await senderAt(from, kernel, settings);
    if (!sender) return { why: 'the sender is unknown' };
    if (!store.claim(proof.message_id, from, id)) return { why: 'it repeats an earlier email' };
    return await confirmed(id, proof, sender, from, services);
  } catch (error) {
    // The module does not answer unknown senders, so the email waits until the kernel can look up the sender.
    if (!isRetryable(error) && mayTryLater) return 'later';
    throw error;
  }
}

async function confirmed(
  id: number,
  { mail, uncovered }: Proof,
  sender: Sender,
  from: string,
  { confirmations }: AdmissionServices,
): Promise<Admission> {
  if (uncovered.length === 0) return { sender, mail };
  const who = sender.who === MASTER ? null : from;
  const answer = confirmations.answer(id, who, await parseMail(mail), uncovered);
  if (answer === undefined) return 'asked';
  return answer ? { sender, mail } : { why: 'you did not confirm it' };
}
