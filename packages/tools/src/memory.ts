/** Lets the model remember across chats, and forget (MEM-2). */
import { MAX_MEMORY_TEXT } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

const Text = z.string().trim().min(1).max(MAX_MEMORY_TEXT);
const EntryId = z.string().describe('The id of an entry, as you are told it.');

export const memory = defineTool({
  name: 'memory',
  description:
    'Changes what you remember of the owner in all chats, which you are told by itself. Remember what will matter in other chats: wishes on manner, lasting facts, names. One entry for each fact, in one short sentence that is clear by itself. Never secrets, nor what stands in files and tool results. Replace an entry that is not true any more, and remove what the owner wants forgotten.',
  input: z.object({
    add: Text.optional().describe('A new entry.'),
    replace: z.object({ id: EntryId, text: Text }).optional().describe('An entry and its new text.'),
    remove: z.array(EntryId).max(100).optional().describe('Entries to forget.'),
  }),
  group: 'memory',
  icon: '🧠',
  master_only: true,
  lead_only: true,
  outside_effect: true,
  async run(input, context) {
    const { add, replace, remove = [] } = input;
    if (add === undefined && replace === undefined && remove.length === 0) {
      return { output: 'Nothing to do: give add, replace or remove.', is_error: true, refused: true };
    }
    const { written, chars, max_chars } = await context.changeMemory(input);
    const done = [
      ...written.map(id => `Remembered as [${id}].`),
      ...(add !== undefined && written.length === (replace === undefined ? 0 : 1)
        ? ['That is remembered already.']
        : []),
      ...(remove.length > 0 ? [`Forgotten: ${remove.length}.`] : []),
    ];
    const [used, most] = [chars, max_chars].map(number => number.toLocaleString('en'));
    return { output: `${done.join(' ')} The memory has ${used} of ${most} characters.` };
  },
});
