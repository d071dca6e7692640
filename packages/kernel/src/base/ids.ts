/** Ids: new ones, and how clients send them. */
import { KernelError } from '@chat-kernel/protocol';
import { v7 as uuidv7 } from 'uuid';

/** Random bytes for many ids: to ask the system for those of each one costs several times what the id does. */
const POOL = new Uint8Array(16 * 256);
let taken = POOL.length;
/** The time and the count in the id before: each id is greater than the one before it. */
let [msecs, seq] = [0, 0];

let timeOfIds: () => number = Date.now;

/** Makes the ids of this process be in the order of another clock: that of all kernels, where several share a database. */
export function orderIdsBy(now: () => number): void {
  timeOfIds = now;
}

/** A new UUIDv7. */
export function newId(): string {
  if (taken === POOL.length) {
    crypto.getRandomValues(POOL);
    taken = 0;
  }
  const random = POOL.subarray(taken, taken + 16);
  taken += 16;
  const now = timeOfIds();
  if (now > msecs) {
    msecs = now;
    // Half of what fits, so that there is room to count.
    seq = random[6]! << 22;
  } else {
    seq += 1;
  }
  return uuidv7({ random, msecs, seq });
}

/** An id for something that came about at this time (milliseconds since 1970): of one time, `n` gives the order. */
export const idAt = (msecs: number, n: number): string =>
  uuidv7({ random: crypto.getRandomValues(new Uint8Array(16)), msecs, seq: n });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id. The store is not asked for any other text, which names nothing. */
export const isId = (text: string): boolean => UUID.test(text);

/** @param what says in words what is expected @throws KernelError malformed_cursor */
export function checkCursor(text: string, what: string): void {
  if (!isId(text)) throw malformed(text, what);
}

/** Returns the parts of an item id of history, `{message_id}:{n}`. @throws KernelError malformed_cursor */
export function itemCursor(text: string): { message_id: string; n: number } {
  const [message_id = '', n = '', ...rest] = text.split(':');
  if (rest.length > 0 || !isId(message_id) || !/^\d{1,9}$/.test(n)) {
    throw malformed(text, 'an item id of history, {message_id}:{n}');
  }
  return { message_id, n: Number(n) };
}

const malformed = (text: string, what: string) =>
  new KernelError('malformed_cursor', `before: expected ${what}, got ${JSON.stringify(text.slice(0, 100))}.`);
