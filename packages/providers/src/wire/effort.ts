/** Effort in the words of the provider packages; where a kind needs other words, its own file says so. */
import type { Effort } from '@chat-kernel/protocol';

export type Reasoning = 'none' | 'low' | 'medium' | 'high';

const REASONING: Record<Effort, Reasoning> = { off: 'none', low: 'low', mid: 'medium', high: 'high' };

/** Undefined: the model does not reason, and many APIs refuse a request that asks it to. */
export function reasoningFor(effort: Effort, thinks: boolean): Reasoning | undefined {
  return thinks ? REASONING[effort] : undefined;
}

/** Whether any level of a model asks it to think. */
export const takesEffort = (efforts: readonly Effort[]): boolean => efforts.some(effort => effort !== 'off');
