/** The hash by which a conversation is known again, and whether one has only grown since it was taken. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { ImportChat } from '@chat-kernel/protocol';

/** Characters that are hashed in a row; then others have their turn. */
const STEP_CHARS = 4 * 1024 * 1024;

type Said = Pick<ImportChat, 'messages' | 'branches'>;

/** The same for the same conversation, wherever it is put. */
export function fingerprintOf({ messages, branches = [] }: Said): string {
  return createHash('sha256')
    .update(JSON.stringify([messages, branches]))
    .digest('hex');
}

/** How many messages a conversation had when its fingerprint was this one; undefined where it has not only grown since. */
export async function countBefore(
  { messages, branches = [] }: Said,
  fingerprint: string,
): Promise<number | undefined> {
  const end = `],${JSON.stringify(branches)}]`;
  const begun = createHash('sha256').update('[[');
  let hashed = 0;
  for (let count = 0; count <= messages.length; count++) {
    if (count > 0) begun.update((count > 1 ? ',' : '') + JSON.stringify(messages[count - 1]));
    if (begun.copy().update(end).digest('hex') === fingerprint) return count;
    hashed += end.length;
    // Many branches behind many messages take seconds.
    if (hashed > STEP_CHARS) {
      await nextTick();
      hashed = 0;
    }
  }
  return undefined;
}
