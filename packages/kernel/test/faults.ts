/** Finds the faults of a request for which a provider would reject it. */
import type { PromptMessage } from '../src/history/repair.ts';

export function faultsOf(request: PromptMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  request.forEach(({ role, content }, index) => {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) faults.push(`role of ${index}`);
    if (content.length === 0) faults.push(`${index} is empty`);
    const answered = content.flatMap(block => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    if (answered.join() !== open.join()) faults.push(`${index} answers ${answered}, open were ${open}`);
    open = content.flatMap(block => (block.type === 'tool_use' ? [block.id] : []));
    for (const block of content) {
      if ('text' in block && block.type !== 'thinking' && block.text.trim() === '')
        faults.push(`empty text in ${index}`);
      if (block.internal?.note || block.internal?.compaction) faults.push(`service text in ${index}`);
    }
  });
  if (open.length > 0) faults.push('open calls at the end');
  if (request.length > 0 && request.at(-1)?.role !== 'user') faults.push('ends with the assistant');
  return faults;
}
