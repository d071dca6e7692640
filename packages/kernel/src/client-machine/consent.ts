/** The owner's consent: to changes of the kernel's own machine, in chats that want it (WHO-6), and to what modules do outside. */
import type { ChatRecord, OutsideAct, OwnChange } from '../ports/index.ts';
import { type Asking, askOwner, decisionsFor } from './ask-owner.ts';

/**
 * Asks the owner, where the chat says so and no grant covers the change. Any client of the master may answer, with a
 * decision alone.
 * @throws Refused, Unanswered, OperationError: the change may not be made
 */
export async function consentTo(
  { action, ...params }: OwnChange,
  asking: Asking,
  { consent }: Pick<ChatRecord, 'consent'>,
): Promise<void> {
  if (consent === 'auto') return;
  const operation = { action, params, on: 'server', timeout_secs: asking.timeout_secs } as const;
  if (decisionsFor(asking, operation) === undefined) return;
  await askOwner(asking, operation);
}

/**
 * Asks the owner about an act of a module. A yes counts for this one alone: the next has another reader, and other words.
 * @throws Refused, Unanswered, OperationError: it may not be done
 */
export async function consentToAct({ action, shown }: OutsideAct, asking: Asking): Promise<void> {
  const { timeout_secs } = asking;
  await askOwner(asking, { action, params: shown, on: 'server', timeout_secs, once: true });
}
