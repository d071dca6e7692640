/** /memory: shows, adds, edits and deletes the memories that all chats share, and reviews proposed ones. */
import type { MemoryEntry, MemoryProposal } from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import type { ChatSession } from '../session/session.ts';
import { exact } from '../text/safe.ts';
import type { ChatCommand } from './command.ts';

/** Length of the id prefix that the list shows. */
const ID_CHARS = 8;
/** Subcommands, called with the rest of the line. */
const WORDS: Readonly<Record<string, (session: ChatSession, rest: string) => Promise<unknown>>> = {
  add: async ({ client, notices }, text) => {
    if (text === '') throw new Error('Usage: /memory add TEXT');
    await client.addMemory({ text });
    notices.notify('Saved. Every chat uses it from its next turn.');
  },
  edit: async (session, rest) => {
    const [, name = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    const { id } = await findEntry(session, name);
    if (text === '') throw new Error('Usage: /memory edit ID TEXT');
    await session.client.patchMemory(id, { text });
    session.notices.notify('Updated.');
  },
  remove: async (session, name) => {
    const { id } = await findEntry(session, name);
    const { found_in } = await session.client.forgetMemory(id);
    session.notices.notify(`Deleted.${mentions(found_in.length)}`);
  },
  accept: async (session, name) => {
    const { accepted } = await session.client.reviewMemory({ accept: await findProposals(session, name) });
    session.notices.notify(
      `Accepted ${counted(accepted.length, 'text')}. Every chat uses ${accepted.length === 1 ? 'it' : 'them'} from its next turn.`,
    );
  },
  discard: async (session, name) => {
    const { discarded } = await session.client.reviewMemory({ discard: await findProposals(session, name) });
    session.notices.notify(`Discarded ${counted(discarded, 'proposal')}.`);
  },
  clear: async ({ client, notices }) => {
    const { deleted, found_in } = await client.forgetAllMemory();
    notices.notify(`Deleted ${counted(deleted, 'text')}.${mentions(found_in.length)}`);
  },
};

export const memory: ChatCommand = {
  name: 'memory',
  description:
    'manage memory: `add TEXT`, `edit ID TEXT`, `remove ID`, `clear`; proposals: `accept ID`, `discard ID` or `all`',
  takes: 'add …',
  async run(session, argument) {
    const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
    if (word === '') return look(session);
    const act = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (act === undefined)
      throw new Error('Usage: /memory add TEXT, edit ID TEXT, remove ID, accept ID, discard ID, or clear');
    await act(session, rest.trim());
  },
};

async function look({ client, panels }: ChatSession): Promise<void> {
  const { entries, proposals, chars, max_chars, tokens } = await client.getMemory();
  panels.look(
    `Memory: ${chars} of ${max_chars} characters, about ${counted(tokens, 'token')} per chat`,
    [
      ...entries.map(row),
      ...(proposals.length === 0 ? [] : [PROPOSALS]),
      ...proposals.flatMap(proposal => [row(proposal), `${INDENT}${describeOrigin(proposal)}`]),
    ],
    'no memories yet; /memory add TEXT',
  );
}

const PROPOSALS =
  'Proposals, unused until you accept them. /memory accept ID, or all; /memory discard ID, or all';

/** Models write the texts, so invisible characters are shown. */
const row = ({ id, text }: Pick<MemoryEntry, 'id' | 'text'>): string =>
  `${id.slice(0, ID_CHARS)}  ${exact(text.replace(/\s+/g, ' '))}`;

const INDENT = ' '.repeat(ID_CHARS + 2);

function describeOrigin({ origin: { reason, outside }, replaces }: MemoryProposal): string {
  const why = reason === 'summary' ? 'learned while summarizing a chat' : 'not answered in time';
  return [
    why,
    ...(outside.length > 0 ? [`sources: ${exact(outside.join(', '))}`] : []),
    ...(replaces === null ? [] : [`replaces ${replaces.slice(0, ID_CHARS)}`]),
  ].join(' · ');
}

/** @throws Error with a sentence for the user */
const findEntry = async ({ client }: ChatSession, name: string): Promise<MemoryEntry> =>
  byPrefix((await client.getMemory()).entries, name, 'memory');

/** Returns the ids of all proposals, or of the named one. @throws Error with a sentence for the user */
async function findProposals({ client }: ChatSession, name: string): Promise<string[]> {
  const { proposals } = await client.getMemory();
  if (name === 'all') return proposals.map(({ id }) => id);
  return [byPrefix(proposals, name, 'proposal').id];
}

function byPrefix<Named extends { id: string }>(all: readonly Named[], name: string, what: string): Named {
  const found = all.filter(({ id }) => name !== '' && id.startsWith(name.toLowerCase()));
  if (found.length === 1) return found[0] as Named;
  throw new Error(
    found.length === 0
      ? `No ${what} has this ID. /memory lists the IDs.`
      : 'Several IDs start with this. Enter more characters.',
  );
}

const mentions = (messages: number): string =>
  messages === 0
    ? ''
    : ` ${counted(messages, 'older message')} may still mention it; use /search to find them.`;
