/**
 * Removes forgotten entries from the messages that models see (MEM-2). The blocks that show the memory are stored
 * without texts; the texts of current entries are inserted here. Therefore no later request contains a forgotten text,
 * and the rest of the history keeps its bytes, which providers have cached.
 */
import type { NewMessage, StoredBlock } from '@chat-kernel/kernel';
import { MEMORY, type MemoryRef } from './records.ts';

interface Entries {
  /** Those of the given entries that are unchanged, as a block for a model; empty if there are none. */
  render(refs: readonly MemoryRef[]): string;
  /** Whether an entry has exactly this text. */
  says(text: string): boolean;
}

/** Replaces a text in a call that is not remembered: it was forgotten since or only proposed, or the call failed. */
const FORGOTTEN = '(removed from memory)';

/**
 * Returns the same object if nothing in it changes.
 * @param justMade whether its calls are new, so that the model may correct one that failed
 */
export function viewMessage(
  message: NewMessage,
  memory: Entries,
  { justMade }: { justMade: boolean },
): NewMessage {
  let changed = false;
  const content = message.content.map(block => {
    const now = justMade && block.type === 'tool_use' ? block : viewBlock(block, memory);
    changed ||= now !== block;
    return now;
  });
  return changed ? { ...message, content } : message;
}

function viewBlock(block: StoredBlock, memory: Entries): StoredBlock {
  const refs = block.internal?.memory;
  if (block.type === 'context' && refs !== undefined) {
    const text = memory.render(refs);
    return text === block.text ? block : { ...block, text };
  }
  if (block.type !== 'tool_use' || block.name !== MEMORY) return block;
  const { add, replace } = block.input as { add?: unknown; replace?: { text?: unknown } | null };
  const lostAdd = isLost(add, memory);
  const lostReplace = isLost(replace?.text, memory);
  if (!lostAdd && !lostReplace) return block;
  const input = {
    ...block.input,
    ...(lostAdd && { add: FORGOTTEN }),
    ...(lostReplace && { replace: { ...replace, text: FORGOTTEN } }),
  };
  return { ...block, input };
}

const isLost = (text: unknown, memory: Entries): boolean =>
  text !== undefined && text !== FORGOTTEN && !(typeof text === 'string' && memory.says(text));
