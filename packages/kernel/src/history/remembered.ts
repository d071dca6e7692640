/**
 * What histories say of the memory, as far as it is still remembered (MEM-2). The blocks that tell it hold no text: it is
 * put in here. So a text that is forgotten is in no later request, while what stays has the same bytes as before.
 */
import type { MemoryRef, NewMessage, StoredBlock } from '../ports/index.ts';

/** The memory as histories need it. */
export interface Remembered {
  /** The entries among these that are as they were, as a block for a model; empty where none is. */
  told(refs: readonly MemoryRef[]): string;
  /** Whether an entry says exactly this. */
  says(text: string): boolean;
}

/** The tool whose calls hold such texts. */
export const MEMORY_TOOL = 'memory';
/** Stands in a call for a text that is not remembered: it was forgotten since, or the call failed. */
const FORGOTTEN = '(not remembered any more)';

/**
 * A message as its model may see it; the same object where it says nothing of the memory, or says the same.
 * @param justMade its calls are as the model has just made them, so that one which failed may be made better
 */
export function asRemembered(message: NewMessage, memory: Remembered, { justMade = false } = {}): NewMessage {
  let changed = false;
  const content = message.content.map(block => {
    const now = justMade && block.type === 'tool_use' ? block : blockOf(block, memory);
    changed ||= now !== block;
    return now;
  });
  return changed ? { ...message, content } : message;
}

function blockOf(block: StoredBlock, memory: Remembered): StoredBlock {
  const refs = block.internal?.memory;
  if (block.type === 'context' && refs !== undefined) {
    const text = memory.told(refs);
    return text === block.text ? block : { ...block, text };
  }
  if (block.type !== 'tool_use' || block.name !== MEMORY_TOOL) return block;
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

const isLost = (text: unknown, memory: Remembered): boolean =>
  text !== undefined && text !== FORGOTTEN && !(typeof text === 'string' && memory.says(text));
