/** Renders the memory as a block of text for models (MEM-2). */
import { estimateTokens } from '@chat-kernel/kernel';
import type { MemoryRecord } from './records.ts';

const HEAD =
  '[memory]\nWhat you remember about the owner, shared by all chats. The id in brackets is for the memory tool:';
/** The block for a model that has seen entries, after all of them were deleted. */
export const EMPTY_MEMORY = '[memory]\nAll memories were deleted.';
/** Enough characters of an id to distinguish entries: a whole id would cost more than most texts. */
const ID_CHARS = 8;

/** The id by which models name an entry. */
export const shortId = (id: string): string => id.slice(0, ID_CHARS);

/** Renders the entries as a block for a model; empty if there are none. */
export function renderMemory(entries: readonly Pick<MemoryRecord, 'id' | 'text'>[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map(({ id, text }) => `- [${shortId(id)}] ${text.replaceAll('\n', '\n  ')}`);
  return [HEAD, ...lines].join('\n');
}

/** Estimates the tokens of all these entries in a prompt. */
export const estimateMemoryTokens = (entries: readonly MemoryRecord[]): number =>
  estimateTokens(renderMemory(entries).length);
