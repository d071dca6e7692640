/** What the demo model was told of the memory: the kernel's last list, and what it has added itself since. */
import type { ModelRequest } from '@chat-kernel/kernel';

/** Returns the entries, without their ids. */
export function rememberedIn(messages: ModelRequest['messages']): string[] {
  let entries: string[] = [];
  const refused = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_result' && block.is_error) refused.add(block.tool_use_id);
    }
  }
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'context' && block.text.startsWith('[memory]\n')) entries = entriesIn(block.text);
    if (block.type !== 'tool_use' || block.name !== 'memory' || refused.has(block.id)) continue;
    const { add } = block.input;
    // The kernel puts words in brackets in the place of what was forgotten since.
    if (typeof add === 'string' && !add.startsWith('(') && !entries.includes(add))
      entries = [...entries, add];
  }
  return entries;
}

/** Lines such as `- [0a1b2c3d] Has a cat.` */
const entriesIn = (told: string): string[] =>
  told.split('\n').flatMap(line => (line.startsWith('- [') ? line.slice(line.indexOf('] ') + 2) : []));
