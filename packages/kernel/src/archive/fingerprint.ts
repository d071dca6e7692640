/** The hash by which a conversation is known again, and whether one has only grown since it was taken. */
import { createHash } from 'node:crypto';
import type { ImportChat } from '@chat-kernel/protocol';

type Said = Pick<ImportChat, 'messages' | 'branches'>;

/** The same for the same conversation, wherever it is put. */
export function fingerprintOf({ messages, branches = [] }: Said): string {
  return createHash('sha256')
    .update(JSON.stringify([messages, branches]))
    .digest('hex');
}

/** How many messages a conversation had when its fingerprint was this one; undefined where it has not only grown since. */
export function countBefore({ messages, branches = [] }: Said, fingerprint: string): number | undefined {
  const end = `],${JSON.stringify(branches)}]`;
  const begun = createHash('sha256').update('[[');
  for (let count = 0; count <= messages.length; count++) {
    if (count > 0) begun.update((count > 1 ? ',' : '') + JSON.stringify(messages[count - 1]));
    if (begun.copy().update(end).digest('hex') === fingerprint) return count;
  }
  return undefined;
}
