/**
 * The plan and the notebook of a chat, and the memory, as blocks for the model. A block is added only when the model knows an older
 * state.
 */
import { createHash } from 'node:crypto';
import type { PlanTask } from '@chat-kernel/protocol';
import type {
  BlockInternal,
  ChatRecord,
  MemoryRecord,
  MemoryRef,
  NewMessage,
  StoredBlock,
} from '../ports/index.ts';

/** Fingerprints of the plan, the notebook and the memory as the model saw them last; an absent one was never shown. */
export type KnownState = NonNullable<BlockInternal['told']>;

export const planFingerprint = (tasks: readonly PlanTask[]): string => fingerprint(JSON.stringify(tasks));
export const notebookFingerprint = (text: string): string => fingerprint(text);
export const memoryFingerprint = (entries: readonly MemoryRecord[]): string =>
  fingerprint(JSON.stringify(refsOf(entries)));

const refsOf = (entries: readonly MemoryRecord[]): MemoryRef[] =>
  entries.map(({ id, updated_at }) => [id, updated_at]);

/** Adds the state that messages carry; a later message replaces an earlier state. */
export function addKnownState(told: KnownState, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const { internal } of content) if (internal?.told) Object.assign(told, internal.told);
  }
}

/**
 * The state that the model does not know yet, as blocks of a message; none where it knows all. In the history the
 * state changes nothing that providers have in their caches. It is folded like all else, and is then added anew.
 * @param memory null: the chat is told none
 */
export function staleState(
  { plan, notebook }: Pick<ChatRecord, 'plan' | 'notebook'>,
  told: KnownState,
  memory: readonly MemoryRecord[] | null = null,
): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  const now = { plan: planFingerprint(plan), notebook: notebookFingerprint(notebook) };
  if (now.plan !== (told.plan ?? planFingerprint([]))) {
    const tasks = plan.map(({ title, status }) => `- [${status}] ${title}`).join('\n');
    const text = plan.length === 0 ? '[plan]\nThere is no plan any more.' : `[plan]\n${tasks}`;
    blocks.push({ type: 'context', text, internal: { told: { plan: now.plan } } });
  }
  if (now.notebook !== (told.notebook ?? notebookFingerprint(''))) {
    const text = notebook === '' ? '[notebook]\nThe notebook is empty now.' : `[notebook]\n${notebook}`;
    blocks.push({ type: 'context', text, internal: { told: { notebook: now.notebook } } });
  }
  if (memory !== null && memoryFingerprint(memory) !== (told.memory ?? memoryFingerprint([]))) {
    const internal = { told: { memory: memoryFingerprint(memory) }, memory: refsOf(memory) };
    blocks.push({ type: 'context', text: '', internal });
  }
  return blocks;
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
