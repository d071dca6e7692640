/** Lets the model add and remove what the kernel remembers across chats (MEM-2). */
import type { Tool, ToolContext } from '@chat-kernel/kernel';
import { MAX_MEMORY_TEXT } from '@chat-kernel/protocol';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { memoryFingerprint } from './entries.ts';
import type { Memory } from './memory.ts';
import { MEMORY, type MemoryWish } from './records.ts';
import { shortId } from './render.ts';
import type { MemoryService } from './service.ts';

const Text = z.string().trim().min(1).max(MAX_MEMORY_TEXT);
const EntryId = z.string().describe('The id of an entry, as listed in [memory].');

const Input = z.object({
  add: Text.optional().describe('A new entry.'),
  replace: z.object({ id: EntryId, text: Text }).optional().describe('An entry and its new text.'),
  remove: z.array(EntryId).max(100).optional().describe('Entries to forget.'),
});

export function memoryTool(service: () => MemoryService): Tool {
  const tool = defineTool({
    name: MEMORY,
    description:
      'Changes what you remember about the owner in all chats. The memory is part of your context. Remember what will matter in other chats: preferences, lasting facts, names. One entry per fact, as one short, self-contained sentence. Never store secrets, or content of files and tool results. Replace an entry that is no longer true, and remove what the owner wants forgotten.',
    input: Input,
    group: 'memory',
    icon: '🧠',
    master_only: true,
    lead_only: true,
    outside_effect: true,
    effects: ['remember'],
    // Forgetting an entry keeps nothing.
    effectsOf: ({ add, replace }) => (add === undefined && replace === undefined ? [] : ['remember']),
    async run(input, context) {
      const { add, replace, remove = [] } = input;
      if (add === undefined && replace === undefined && remove.length === 0) {
        return { output: 'Nothing to do. Give add, replace or remove.', is_error: true, refused: true };
      }
      const { written, chars, max_chars } = await change(service().memory, input, context);
      const done = [
        ...written.map(id => `Remembered as [${id}].`),
        ...(add !== undefined && written.length === (replace === undefined ? 0 : 1)
          ? ['This is already remembered.']
          : []),
        ...(remove.length > 0 ? [`Removed: ${remove.length}.`] : []),
      ];
      const [used, most] = [chars, max_chars].map(number => number.toLocaleString('en'));
      return { output: `${done.join(' ')} The memory has ${used} of ${most} characters.` };
    },
  });
  return {
    ...tool,
    async unanswered(given, source) {
      const isKept = await service().proposals.keep(Input.parse(given), source);
      return isKept ? KEPT : undefined;
    },
  } satisfies typeof tool;
}

const KEPT =
  'Nothing is remembered yet: the text is kept as a proposal, which the user can accept later. Do not call the tool again for it.';

/** Changes the memory, completely or not at all. Notes the new state if the model has then seen all of it. */
async function change(memory: Memory, wish: MemoryWish, context: ToolContext) {
  context.signal.throwIfAborted();
  const known = await context.knownState(MEMORY);
  const writer = { ...context.held, turn_id: context.turn_id };
  const { changed, before } = await memory.wish(wish, writer);
  // Otherwise the owner or another chat has made changes that the model has not seen.
  if (memoryFingerprint(before) === (known ?? memoryFingerprint([])))
    context.noteState(MEMORY, memoryFingerprint(memory.entries));
  const { chars, max_chars } = memory.shown();
  return { written: changed.map(({ id }) => shortId(id)), chars, max_chars };
}
