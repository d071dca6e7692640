/** Reads values of untrusted JSON, which may have any type. */
import { cutText } from '@chat-kernel/text';
import { BrokenConversation } from './incoming.ts';

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The fields of an object; empty for anything else. */
export const toFields = (value: unknown): Fields => (isFields(value) ? value : {});
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** A text that any database can store; empty if the value is not a text. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');

const TITLE_CHARS = 500;

/** A valid title for a chat; null if there is none. */
export const toTitle = (value: unknown): string | null => cutText(toText(value).trim(), TITLE_CHARS) || null;

/**
 * Converts a time, in seconds since 1970 or as text, to the format of the API; undefined if there is none. @throws
 * BrokenConversation
 */
export function parseTime(value: unknown, name: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  const time = new Date(typeof value === 'number' ? value * 1000 : toText(value));
  if (Number.isNaN(time.getTime())) throw new BrokenConversation(`${name} is no time`);
  return time.toISOString();
}

/** The id of a conversation. @throws BrokenConversation if there is none */
export function conversationKey(...values: unknown[]): string {
  const key = values.map(toText).find(each => each !== '' && each.length <= 200);
  if (key === undefined) throw new BrokenConversation('it has no id');
  return key;
}
