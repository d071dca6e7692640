/** The owner's consent to changes of the kernel's own machine, in chats that want it (WHO-6). */
import type { ChatRecord, OwnChange } from '../ports/index.ts';
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
