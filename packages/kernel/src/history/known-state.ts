/** The plan and the notebook of a chat, as the model is told them: again whenever what it knows of them is old. */
import { createHash } from 'node:crypto';
import type { PlanTask } from '@chat-kernel/protocol';
import type { BlockInternal, ChatRecord, NewMessage, StoredBlock } from '../ports/index.ts';

/** What the model knows: fingerprints of what it was told last. Absent: it knows of none. */
export type KnownState = NonNullable<BlockInternal['told']>;

export const planFingerprint = (tasks: readonly PlanTask[]): string => fingerprint(JSON.stringify(tasks));
export const notebookFingerprint = (text: string): string => fingerprint(text);

/** Later messages tell what holds now. */
export function addKnownState(told: KnownState, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const { internal } of content) if (internal?.told) Object.assign(told, internal.told);
  }
}

/**
 * What the model has to be told before it goes on, as blocks of a message; none where it knows all. As part of the
 * history it changes nothing of what providers have in their caches, and is folded like all else: then it is told anew.
 */
export function staleState(
  { plan, notebook }: Pick<ChatRecord, 'plan' | 'notebook'>,
  told: KnownState,
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
  return blocks;
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
