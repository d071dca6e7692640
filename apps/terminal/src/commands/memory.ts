/** /memory: what is remembered across chats, looked at, added to, changed and forgotten. */
import type { Schema } from '@chat-kernel/client';
import type { ChatSession } from '../session/session.ts';
import { count } from '../text/amounts.ts';
import type { ChatCommand } from './command.ts';

type Entry = Schema<'MemoryEntry'>;

/** As many characters of an id as the list shows. */
const ID_CHARS = 8;
/** Word → what it does with the rest of the line. */
const WORDS: Readonly<Record<string, (session: ChatSession, rest: string) => Promise<unknown>>> = {
  add: async ({ client, notices }, text) => {
    if (text === '') throw new Error('What is to be remembered? /memory add TEXT');
    await client.addMemory({ text });
    notices.notify('Remembered: every chat is told it from its next turn on.');
  },
  edit: async (session, rest) => {
    const [, name = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    const { id } = await entryOf(session, name);
    if (text === '') throw new Error('What is to stand there? /memory edit ID TEXT');
    await session.client.patchMemory(id, { text });
    session.notices.notify('Changed.');
  },
  remove: async (session, name) => {
    const { id } = await entryOf(session, name);
    const { found_in } = await session.client.forgetMemory(id);
    session.notices.notify(forgotten(found_in.length));
  },
  clear: async ({ client, notices }) => {
    const { deleted, found_in } = await client.forgetAllMemory();
    notices.notify(`${count(deleted, 'text')}. ${forgotten(found_in.length)}`);
  },
};

export const memory: ChatCommand = {
  name: 'memory',
  description: 'what is remembered; `add TEXT`, `edit ID TEXT`, `remove ID`, `clear`',
  takes: 'add …',
  async run(session, argument) {
    const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
    if (word === '') return look(session);
    const act = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (act === undefined) throw new Error('/memory takes add TEXT, edit ID TEXT, remove ID or clear');
    await act(session, rest.trim());
  },
};

async function look({ client, panels }: ChatSession): Promise<void> {
  const { entries, chars, max_chars, tokens } = await client.getMemory();
  panels.look(
    `Memory: ${chars} of ${max_chars} characters, about ${count(tokens, 'token')} a chat`,
    entries.map(({ id, text }) => `${id.slice(0, ID_CHARS)}  ${text.replace(/\s+/g, ' ')}`),
    'nothing is remembered; /memory add TEXT',
  );
}

/** @throws Error with a sentence for the owner */
async function entryOf({ client }: ChatSession, name: string): Promise<Entry> {
  const { entries } = await client.getMemory();
  const found = entries.filter(({ id }) => name !== '' && id.startsWith(name.toLowerCase()));
  if (found.length === 1) return found[0] as Entry;
  throw new Error(found.length === 0 ? 'Which entry? /memory shows their ids.' : 'Several entries begin so.');
}

const forgotten = (places: number): string =>
  places === 0
    ? 'Forgotten.'
    : `Forgotten. ${count(places, 'old message')} still ${places === 1 ? 'says' : 'say'} it; /search finds them.`;
