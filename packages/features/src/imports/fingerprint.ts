/** Hashes a conversation to recognize it again, and detects whether it has only grown since its import. */
import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { jsonPieces, slices } from '@chat-kernel/kernel';
import type { ImportChat, ImportMessage } from '@chat-kernel/protocol';

/** Characters hashed without a break; then other work can run. */
const STEP_CHARS = 4 * 1024 * 1024;

type Said = Pick<ImportChat, 'messages' | 'branches'>;

/** Leaves out the fields that earlier versions did not read, so that conversations are recognized that they imported. */
const withoutWriter = ({ model: _, usage: __, ...message }: ImportMessage): object => message;

/** The hash of the conversation's JSON, built in slices. It is the same wherever the conversation is stored. */
export async function computeFingerprint({ messages, branches = [] }: Said): Promise<string> {
  const hash = createHash('sha256').update('[');
  await addMessages(hash, messages);
  hash.update(',[');
  for (const [n, branch] of branches.entries()) {
    let mark = n > 0 ? ',{' : '{';
    for (const [key, value] of Object.entries(branch)) {
      hash.update(`${mark}${JSON.stringify(key)}:`);
      mark = ',';
      if (key === 'messages') await addMessages(hash, branch.messages);
      else hash.update(JSON.stringify(value));
    }
    hash.update('}');
  }
  return hash.update(']]').digest('hex');
}

/** Adds the JSON of the list, in slices. */
async function addMessages(hash: Hash, messages: Said['messages']): Promise<void> {
  hash.update('[');
  let isFirst = true;
  for await (const slice of slices(messages)) {
    if (!isFirst) hash.update(',');
    isFirst = false;
    // Without the brackets around the slice.
    let last: string | undefined;
    for await (const piece of jsonPieces(slice.map(withoutWriter))) {
      if (last !== undefined) hash.update(last);
      last = last === undefined ? piece.slice(1) : piece;
    }
    if (last !== undefined) hash.update(last.slice(0, -1));
  }
  hash.update(']');
}

/**
 * Returns how many messages a conversation had when it had this fingerprint; undefined if it changed in other ways
 * since.
 */
export async function countBefore(
  { messages, branches = [] }: Said,
  fingerprint: string,
): Promise<number | undefined> {
  const known = branches.map(branch => ({ ...branch, messages: branch.messages.map(withoutWriter) }));
  const end = `],${JSON.stringify(known)}]`;
  const begun = createHash('sha256').update('[[');
  let hashed = 0;
  for (let count = 0; count <= messages.length; count++) {
    if (count > 0)
      begun.update(
        (count > 1 ? ',' : '') + JSON.stringify(withoutWriter(messages[count - 1] as ImportMessage)),
      );
    if (begun.copy().update(end).digest('hex') === fingerprint) return count;
    hashed += end.length;
    // Many branches after many messages take seconds.
    if (hashed > STEP_CHARS) {
      await nextTick();
      hashed = 0;
    }
  }
  return undefined;
}
