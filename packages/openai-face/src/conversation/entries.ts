/**
 * A conversation in the form in which it is compared: who said what, without what a client may change on the way. Clients
 * drop steps and thinking, trim, and join texts, so neighbours of one role are one entry and blanks do not count.
 */
import { createHash } from 'node:crypto';

export interface Entry {
  role: 'user' | 'assistant';
  /** Without blanks; never empty. */
  text: string;
}

/** Generated images, as history has them and as an answer shows them. */
const IMAGES = /\[image [0-9a-f-]{36}\] \/images\/[0-9a-f-]{36}|!\[image\]\([^\s()[\]!]{1,300}\)/g;

export function entriesOf(said: Iterable<Entry>): Entry[] {
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

/** Names a conversation. @param before the name of what was said before the entries */
export function fingerprintOf(entries: readonly Entry[], before = ''): string {
  return entries.reduce((name, entry) => hashOf(name, entry.role, entry.text), before);
}

/** 128 bits, in hexadecimal: enough to tell conversations apart. */
export const hashOf = (...texts: string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);

/**
 * Whether the end of a chat is what a client has heard. Whoever hung up has heard only the beginning of the last answer,
 * and of the first of these entries the beginning may be missing.
 */
export function endsAlike(chat: readonly Entry[], client: readonly Entry[]): boolean {
  const [last, heard] = [chat.at(-1), client.at(-1)];
  if (last?.role !== 'assistant' || heard?.role !== 'assistant') return false;
  if (!last.text.startsWith(heard.text)) return chat.length === 1 && heard.text.endsWith(last.text);
  const [asked, wanted] = [chat.at(-2), client.at(-2)];
  return asked === undefined || wanted?.text.endsWith(asked.text) === true;
}

/** Whether a conversation goes on where a whole chat ends. @param before the name of what was said before the chat */
export function goesOn(chat: readonly Entry[], before: string, client: readonly Entry[]): boolean {
  const nameOf = (entries: readonly Entry[], seed: string) => fingerprintOf(entries.slice(0, -1), seed);
  return endsAlike(chat, client) && nameOf(chat, before) === nameOf(client, '');
}
