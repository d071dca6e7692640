/**
 * Provides the plan of a chat and the states of features as blocks for the model. Adds a block only if the model knows
 * an older state.
 */
import { hash } from 'node:crypto';
import type { PlanTask } from '@chat-kernel/protocol';
import type { BlockInternal, ChatRecord, Feature, NewMessage, StoredBlock } from '../ports/index.ts';

/** Fingerprints of the states that the model saw last; an absent one was never shown. */
export type KnownState = NonNullable<BlockInternal['told']>;

export const planFingerprint = (tasks: readonly PlanTask[]): string =>
  stateFingerprint(JSON.stringify(tasks));

/** Adds the state that messages contain; a later message replaces an earlier state. */
export function addKnownState(told: KnownState, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const { internal } of content) if (internal?.told) Object.assign(told, internal.told);
  }
}

/**
 * The state that the model does not know yet, as blocks of a message; empty if it knows all. State in the history does
 * not invalidate the caches of providers. It is compacted with the rest and then added again.
 */
export function staleState(
  chat: Pick<ChatRecord, 'plan' | 'notebook' | 'toolset'>,
  told: KnownState,
  features: readonly Feature[],
): StoredBlock[] {
  const { plan } = chat;
  const blocks: StoredBlock[] = [];
  const now = planFingerprint(plan);
  if (now !== (told.plan ?? planFingerprint([]))) {
    const tasks = plan.map(({ title, status }) => `- [${status}] ${title}`).join('\n');
    const text = plan.length === 0 ? '[plan]\nThere is no plan now.' : `[plan]\n${tasks}`;
    blocks.push({ type: 'context', text, internal: { told: { plan: now } } });
  }
  for (const feature of features) {
    const state = feature.state?.(chat);
    if (!state) continue;
    const known = told[feature.name];
    if (known === undefined ? !state.isEmpty : known !== state.fingerprint) blocks.push(state.block());
  }
  return blocks;
}

/** Fingerprints a state in a few characters. */
export const stateFingerprint = (text: string): string => hash('sha256', text).slice(0, 16);
