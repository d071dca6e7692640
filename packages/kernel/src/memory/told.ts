/** The words in which models are told the memory (MEM-2). */
import { estimateTokens } from '../model/token-estimate.ts';
import type { MemoryRecord } from '../ports/index.ts';

const HEAD =
  '[memory]\nWhat you remember of the owner, in all chats, each under the id by which the tool memory takes it:';
export const NOTHING = '[memory]\nNothing is remembered any more.';
/** As many characters of an id as tell entries apart: a whole id would cost more than most texts. */
const ID_CHARS = 8;

/** The id by which models name an entry. */
export const shortId = (id: string): string => id.slice(0, ID_CHARS);

/** The entries as a block for a model; empty where there are none. */
export function toldOf(entries: readonly Pick<MemoryRecord, 'id' | 'text'>[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map(({ id, text }) => `- [${shortId(id)}] ${text.replaceAll('\n', '\n  ')}`);
  return [HEAD, ...lines].join('\n');
}

/** The tokens that it costs to tell a model all of these, about. */
export const costOf = (entries: readonly MemoryRecord[]): number => estimateTokens(toldOf(entries).length);
