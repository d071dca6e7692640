/** Values of foreign JSON, of which nothing is certain. */
import { cutText } from '@chat-kernel/protocol';
import { BrokenConversation } from './incoming.ts';

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** A text that any database keeps; empty where the value is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');

const TITLE_CHARS = 500;

/** A title as chats have them; null for none. */
export const titleOf = (value: unknown): string | null => cutText(textOf(value).trim(), TITLE_CHARS) || null;

/** A time, in seconds since 1970 or as text, as the API writes them; undefined where there is none. @throws BrokenConversation */
export function timeOf(value: unknown, name: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  const time = new Date(typeof value === 'number' ? value * 1000 : textOf(value));
  if (Number.isNaN(time.getTime())) throw new BrokenConversation(`${name} is no time`);
  return time.toISOString();
}

/** The id of a conversation. @throws BrokenConversation where there is none */
export function keyOf(...values: unknown[]): string {
  const key = values.map(textOf).find(each => each !== '' && each.length <= 200);
  if (key === undefined) throw new BrokenConversation('it has no id');
  return key;
}
