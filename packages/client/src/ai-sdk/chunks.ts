/** Single chunks of the AI SDK, each from what the kernel says. */
import type { EventOf, Item, ItemOf, PlanTask } from '../api/types.ts';
import type { KernelChunk, KernelPause } from './message.ts';
import { metadataOf, partOf } from './parts.ts';

/** The kernel runs the tool, and the page has no types for it. */
const RUN_THERE = { dynamic: true, providerExecuted: true } as const;

export function callChunk(item: ItemOf<'tool_call'>): KernelChunk {
  const { call_id: toolCallId, name: toolName, input } = item;
  return { type: 'tool-input-available', toolCallId, toolName, input, ...RUN_THERE, ...metadataOf(item) };
}

export const progressChunk = (toolCallId: string, output: string): KernelChunk => ({
  type: 'tool-output-available',
  toolCallId,
  output,
  preliminary: true,
  ...RUN_THERE,
});

function resultChunk({ call_id: toolCallId, output = '', is_error }: ItemOf<'tool_call'>): KernelChunk {
  return is_error
    ? { type: 'tool-output-error', toolCallId, errorText: output, ...RUN_THERE }
    : { type: 'tool-output-available', toolCallId, output, ...RUN_THERE };
}

/** One part a turn, however often the plan changes. */
export const planChunk = (tasks: readonly PlanTask[]): KernelChunk => ({
  type: 'data-plan',
  id: 'plan',
  data: { tasks },
});

/** One part a turn; trips of sub-agents are in the sum at its end alone. */
export function usageChunks({ type: _, replayed: __, agent, ...data }: EventOf<'usage'>): KernelChunk[] {
  return agent === undefined ? [{ type: 'data-usage', id: 'usage', data }] : [];
}

/** For `onData`; no part of the message. */
export const pauseChunk = (data: KernelPause): KernelChunk => ({ type: 'data-turn', data, transient: true });

/** What is told of an item that is no text when it is whole. */
export function wholeChunks(item: Item, url: string): KernelChunk[] {
  if (item.kind === 'tool_call') return [resultChunk(item)];
  if (item.kind === 'plan') return [planChunk(item.tasks)];
  const part = partOf(item, url);
  switch (part?.type) {
    case 'file':
    case 'data-note':
    case 'data-compaction':
      return [part];
    default:
      return [];
  }
}
