/** Collects the sources of text that a turn has read and its owner did not write (CONSENT-4). */
import { isOfMaster, type NewMessage, type TurnRecord } from '../ports/index.ts';

/** The maximum number of sources of a turn, and of characters of one. A longer list would not help an owner. */
const MAX_SOURCES = 50;
const MAX_CHARS = 200;
/** The last source of a list that is full. */
const MORE = 'more sources';

/** The source of what commands print that may have reached any host. */
export const COMMAND_OUTPUT = 'command output';

/** The source of messages of a person who is not the owner. */
export const fromPerson = (sender: string): string => `message:${sender}`;

/** The source of what a tool of a client returns. */
export const fromExtraTool = (name: string): string => `tool:${name}`;

const IMPORT = 'import:';
/** The source of a chat that was imported from another program. */
export const fromImport = (program: string): string => `${IMPORT}${program}`;

export const isOfImport = (source: string): boolean => source.startsWith(IMPORT);

/** Whether a message was imported: another person may have written it. */
export const isImported = ({ content }: Pick<NewMessage, 'content'>): boolean =>
  content.some(({ internal }) => internal?.outside?.some(isOfImport) === true);

/** Whether a dialog that showed these sources has named the source. */
export const isNamedBy = (shown: readonly string[], source: string): boolean =>
  source !== MORE && shown.includes(source);

/** Adds the sources of messages: people who are not the owner, and what calls have read. */
export function addOutside(outside: Set<string>, messages: readonly NewMessage[]): void {
  for (const message of messages) {
    if (message.role === 'user' && message.sender !== undefined && !isOfMaster(message))
      outside.add(fromPerson(message.sender));
    for (const { internal } of message.content)
      for (const source of internal?.outside ?? []) outside.add(source);
  }
}

/** The sources with which a turn begins. Text by its own speaker counts like text by the owner. */
export function outsideAtStart(outside: ReadonlySet<string>, sender: string | undefined): string[] {
  const own = sender === undefined ? undefined : fromPerson(sender);
  return limited([...outside].filter(source => source !== own));
}

/** Adds sources that a call of the turn has read; returns whether there was a new one. */
export function noteOutside(record: Pick<TurnRecord, 'outside'>, sources: readonly string[]): boolean {
  const outside = limited([...new Set([...record.outside, ...sources])]);
  const grew = outside.length > record.outside.length;
  record.outside = outside;
  return grew;
}

function limited(sources: readonly string[]): string[] {
  const short = sources.map(source => source.toWellFormed().slice(0, MAX_CHARS));
  return short.length <= MAX_SOURCES ? short : [...short.slice(0, MAX_SOURCES - 1), MORE];
}
