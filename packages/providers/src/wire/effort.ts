/** Effort in the words of the provider packages; a kind that needs other words has them in its file. */
import type { Effort } from '@chat-kernel/protocol';

export type Reasoning = 'none' | 'low' | 'medium' | 'high';

const REASONING: Record<Effort, Reasoning> = { off: 'none', low: 'low', mid: 'medium', high: 'high' };

/** Undefined for a model that does not reason: many APIs refuse a request that asks it to. */
export function reasoningFor(effort: Effort, thinks: boolean): Reasoning | undefined {
  return thinks ? REASONING[effort] : undefined;
}

/** True where any level of a model asks it to think. */
export const takesEffort = (efforts: readonly Effort[]): boolean => efforts.some(effort => effort !== 'off');
