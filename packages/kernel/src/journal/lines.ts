/** The lines of the journal: how a step under construction is written down, and put together again. */
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** A message begins, without any block. The same id again begins it anew. */
interface Begun extends NewMessage {
  begin: true;
}
/** A block is at this place of a message. */
interface Placed {
  id: string;
  at: number;
  block: StoredBlock;
}
/** The text of the block at this place goes on. */
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

/** @param json the text, as JSON: it was encoded for the readers of the turn */
export const textLine = (id: string, at: number, json: string): string =>
  `{"id":"${id}","at":${at},"text":${json}}\n`;

/** A message as it stands. */
export const wholeLines = (message: NewMessage): string =>
  beginLine(message) + message.content.map((block, at) => blockLine(message.id, at, block)).join('');

/** Returns the messages of each turn, in the order in which they began. A line that broke off is as if not written. */
export function messagesOf(lines: readonly string[]): Map<string, NewMessage[]> {
  const messages = new Map<string, NewMessage>();
  for (const line of lines) {
    const read = parsed(line);
    if (read === undefined) continue;
    if ('begin' in read) {
      const { begin: _, ...message } = read;
      messages.set(message.id, message);
      continue;
    }
    const content = messages.get(read.id)?.content;
    if (content === undefined) continue;
    const block = content[read.at];
    if ('block' in read) content[read.at] = read.block;
    else if (block !== undefined && 'text' in block) block.text += read.text;
  }
  return Map.groupBy(messages.values(), ({ turn_id }) => turn_id ?? '');
}

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    // The machine or the disk gave up in the middle of the last write.
    return undefined;
  }
}
