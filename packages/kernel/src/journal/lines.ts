/** Defines the lines of the journal: writes a step under construction, and reads it back. */
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** A message begins without blocks. The same id replaces it. */
interface Begun extends NewMessage {
  begin: true;
}
/** Sets a block at a position of a message. */
interface Placed {
  id: string;
  at: number;
  block: StoredBlock;
}
/** Appends text to the block at this position. */
interface Continued {
  id: string;
  at: number;
  text: string;
}
type Line = Begun | Placed | Continued;

export const beginLine = (message: NewMessage): string =>
  `${JSON.stringify({ begin: true, ...message, content: [] } satisfies Begun)}\n`;

export const blockLine = (id: string, at: number, block: StoredBlock): string =>
  `${JSON.stringify({ id, at, block } satisfies Placed)}\n`;

/** @param json the text, already encoded as JSON for the readers of the turn */
export const textLine = (id: string, at: number, json: string): string =>
  `{"id":"${id}","at":${at},"text":${json}}\n`;

/** The lines of a message in its current state. */
export const wholeLines = (message: NewMessage): string =>
  beginLine(message) + message.content.map((block, at) => blockLine(message.id, at, block)).join('');

interface ReadLines {
  /** The messages of each turn, in the order in which they began. */
  messages: Map<string, NewMessage[]>;
  /** The number of lines that are damaged or belong to a message whose first line is damaged. */
  unreadable: number;
}

/** Assembles the messages. Unreadable lines are skipped. */
export function parseMessages(lines: readonly string[]): ReadLines {
  const messages = new Map<string, NewMessage>();
  let unreadable = 0;
  for (const line of lines) if (!add(messages, line)) unreadable++;
  // A block whose line is damaged leaves a gap before the next one.
  for (const message of messages.values()) message.content = message.content.filter(() => true);
  return { messages: Map.groupBy(messages.values(), ({ turn_id }) => turn_id ?? ''), unreadable };
}

/** Returns false if the line is not valid. */
function add(messages: Map<string, NewMessage>, line: string): boolean {
  const read = parsed(line);
  if (read === undefined) return false;
  if ('begin' in read) {
    const { begin: _, ...message } = read;
    messages.set(message.id, message);
    return true;
  }
  const content = messages.get(read.id)?.content;
  if (content === undefined) return false;
  if ('block' in read) {
    content[read.at] = read.block;
    return true;
  }
  const block = content[read.at];
  if (block === undefined || !('text' in block)) return false;
  block.text += read.text;
  return true;
}

/** The maximum accepted index of a block: a damaged index could create an endless list. */
const MAX_BLOCKS = 10_000;

/** Returns undefined for a damaged line: the machine or the disk may have failed during a write. */
function parsed(line: string): Line | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(read) || typeof read.id !== 'string') return undefined;
  const { at, block, text, content } = read;
  if ('begin' in read) return Array.isArray(content) ? (read as unknown as Begun) : undefined;
  if (!Number.isInteger(at) || (at as number) < 0 || (at as number) > MAX_BLOCKS) return undefined;
  const isWhole =
    'block' in read ? isObject(block) && typeof block.type === 'string' : typeof text === 'string';
  return isWhole ? (read as unknown as Placed | Continued) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
