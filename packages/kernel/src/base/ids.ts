/** Ids and cursors as clients send them. */
import { KernelError } from '@chat-kernel/protocol';

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
