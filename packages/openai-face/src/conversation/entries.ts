/**
 * Converts a conversation to a form for comparison: role and text, without what clients may change. Clients drop steps
 * and thinking, trim, and join texts, so neighbors with the same role are one entry, and blanks do not count.
 */
import { createHash } from 'node:crypto';

export interface Entry {
  role: 'user' | 'assistant';
  /** The text without blanks; never empty. */
  text: string;
}

/** Generated images, in the forms of histories and of answers. */
const IMAGES = /\[image [0-9a-f-]{36}\] \/images\/[0-9a-f-]{36}|!\[image\]\([^\s()[\]!]{1,300}\)/g;

export function toEntries(said: Iterable<Entry>): Entry[] {
  const entries: Entry[] = [];
  for (const { role, text } of said) {
    const bare = text.replace(IMAGES, '').replace(/\s/g, '');
    if (bare === '') continue;
    const last = entries.at(-1);
    if (last?.role === role) last.text += bare;
    else entries.push({ role, text: bare });
  }
  return entries;
}

/** Returns the fingerprint of a conversation. @param before the fingerprint of the part before these entries */
export function fingerprintEntries(entries: readonly Entry[], before = ''): string {
  return entries.reduce((name, entry) => hashTexts(name, entry.role, entry.text), before);
}

/** 128 bits in hexadecimal: enough to distinguish conversations. */
export const hashTexts = (...texts: string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);

/** The conversation of a chat, or its end. */
export interface ChatEnd {
  entries: readonly Entry[];
  /** The turn of the last answer was stopped or failed, so clients may have received only a part of it. */
  isCut: boolean;
}

/** The minimum length of a partial answer by which a chat is recognized, without blanks. */
const MIN_PARTIAL_CHARS = 40;

/** Whether the end of a chat matches a conversation. The beginning of the first of its entries may be missing. */
export function endsAlike(chat: ChatEnd, client: readonly Entry[]): boolean {
  const { entries } = chat;
  if (!haveSameAnswer(chat, client)) {
    const [last, heard] = [entries.at(-1), client.at(-1)];
    const haveSameRole = last?.role === 'assistant' && heard?.role === 'assistant';
    return entries.length === 1 && haveSameRole && heard.text.endsWith(last.text);
  }
  const [asked, wanted] = [entries.at(-2), client.at(-2)];
  return asked === undefined || wanted?.text.endsWith(asked.text) === true;
}

/**
 * Whether a conversation continues the end of a whole chat. @param before the fingerprint of the part before the chat
 */
export const goesOn = (chat: ChatEnd, before: string, client: readonly Entry[]): boolean =>
  haveSameAnswer(chat, client) && haveSameQuestions(chat.entries, before, client);

/** Whether a client has the last answer of a chat, or the beginning of one that was cut while the client received it. */
function haveSameAnswer({ entries, isCut }: ChatEnd, client: readonly Entry[]): boolean {
  const [last, heard] = [entries.at(-1), client.at(-1)];
  if (last?.role !== 'assistant' || heard?.role !== 'assistant') return false;
  if (heard.text === last.text) return true;
  return isCut && heard.text.length >= MIN_PARTIAL_CHARS && last.text.startsWith(heard.text);
}

/** Whether a conversation and a whole chat are equal up to the last message of the user. Parameters as for `goesOn`. */
export const haveSameQuestions = (
  chat: readonly Entry[],
  before: string,
  client: readonly Entry[],
): boolean => fingerprintEntries(upToLastUser(chat), before) === fingerprintEntries(upToLastUser(client));

const upToLastUser = (entries: readonly Entry[]): readonly Entry[] =>
  entries.slice(0, entries.findLastIndex(({ role }) => role === 'user') + 1);
