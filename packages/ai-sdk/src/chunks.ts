/** Creates single chunks of the AI SDK from the kernel's data. */
import type { EventOf, Item, ItemOf, PlanTask } from '@chat-kernel/client';
import type { KernelChunk, KernelPause } from './message.ts';
import { buildMetadata, toPart } from './parts.ts';

/** The kernel runs the tool, and the page has no types for it. */
const RUN_THERE = { dynamic: true, providerExecuted: true } as const;

export function callChunk(item: ItemOf<'tool_call'>): KernelChunk {
  const { call_id: toolCallId, name: toolName, input } = item;
  return { type: 'tool-input-available', toolCallId, toolName, input, ...RUN_THERE, ...buildMetadata(item) };
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

/** One part per turn, however often the plan changes. */
export const planChunk = (tasks: readonly PlanTask[]): KernelChunk => ({
  type: 'data-plan',
  id: 'plan',
  data: { tasks },
});

/** One part per turn; the total at its end also includes the requests of sub-agents. */
export const usageChunk = ({ type: _, replayed: __, ...data }: EventOf<'usage'>): KernelChunk => ({
  type: 'data-usage',
  id: 'usage',
  data,
});

/** For `onData`; not a part of the message. */
export const pauseChunk = (data: KernelPause): KernelChunk => ({ type: 'data-turn', data, transient: true });

/** Returns the chunks of a completed item that is not text. */
export function wholeChunks(item: Item, url: string): KernelChunk[] {
  if (item.kind === 'tool_call') return [resultChunk(item)];
  if (item.kind === 'plan') return [planChunk(item.tasks)];
  const part = toPart(item, url);
  switch (part?.type) {
    case 'file':
    case 'data-note':
    case 'data-compaction':
      return [part];
    default:
      return [];
  }
}
