/** Translates effort to the provider packages' values; a kind with other values has them in its file. */
import type { Effort } from '@chat-kernel/protocol';

export type Reasoning = 'none' | 'low' | 'medium' | 'high';

const REASONING: Record<Effort, Reasoning> = { off: 'none', low: 'low', mid: 'medium', high: 'high' };

/** Undefined for a model without reasoning: many APIs refuse such a request. */
export function reasoningFor(effort: Effort, thinks: boolean): Reasoning | undefined {
  return thinks ? REASONING[effort] : undefined;
}

/** True if any level of a model requests thinking. */
export const takesEffort = (efforts: readonly Effort[]): boolean => efforts.some(effort => effort !== 'off');
