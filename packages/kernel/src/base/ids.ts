/** Creates ids and parses those that clients send. */
import { KernelError } from '@chat-kernel/protocol';
import { v7 as uuidv7 } from 'uuid';

/**
 * Random bytes for many ids: requesting them from the system for each id would cost several times as much as the id.
 */
const POOL = new Uint8Array(16 * 256);
let taken = POOL.length;
/** The time and the counter of the previous id: each id is greater than the one before it. */
let [msecs, seq] = [0, 0];

let timeOfIds: () => number = Date.now;

/** Orders the ids of this process by another clock: that of all kernels, if several share a database. */
export function orderIdsBy(now: () => number): void {
  timeOfIds = now;
}

/** A new UUIDv7. */
export function newId(): string {
  const random = randomBytes();
  const now = timeOfIds();
  if (now > msecs) {
    msecs = now;
    // Half of the range, so that there is room to count.
    seq = random[6]! << 22;
  } else {
    seq += 1;
  }
  return uuidv7({ random, msecs, seq });
}

/** An id for something that was created at this time (milliseconds since 1970); `n` orders ids with the same time. */
export const idAt = (msecs: number, n: number): string => uuidv7({ random: randomBytes(), msecs, seq: n });

/** The random bytes of one id, valid until the next call. */
function randomBytes(): Uint8Array {
  if (taken === POOL.length) {
    crypto.getRandomValues(POOL);
    taken = 0;
  }
  taken += 16;
  return POOL.subarray(taken - 16, taken);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the format of an id. Other texts are not looked up in the store. */
export const isId = (text: string): boolean => UUID.test(text);

/** @param what the description of the expected format @throws KernelError malformed_cursor */
export function checkCursor(text: string, what: string): void {
  if (!isId(text)) throw malformed(text, what);
}

/** Returns the parts of an item id of history, `{message_id}:{n}`. @throws KernelError malformed_cursor */
export function itemCursor(text: string): { message_id: string; n: number } {
  const [message_id = '', n = '', ...rest] = text.split(':');
  if (rest.length > 0 || !isId(message_id) || !/^\d{1,9}$/.test(n)) {
    throw malformed(text, 'the id of a stored item, {message_id}:{n}');
  }
  return { message_id, n: Number(n) };
}

const malformed = (text: string, what: string) =>
  new KernelError('malformed_cursor', `before: expected ${what}, got ${JSON.stringify(text.slice(0, 100))}.`);
