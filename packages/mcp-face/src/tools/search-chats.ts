/** Implements the tool `search_chats`: searches the messages of all chats. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { section, textResult } from './answers.ts';
import type { Caller } from './caller.ts';

const DEFAULT_LIMIT = 10;

export const SearchInput = z.object({
  query: z.string().regex(/\S/, 'expected at least one word').max(1000),
  limit: z.int().min(1).max(50).optional().describe(`Maximum number of messages; default ${DEFAULT_LIMIT}.`),
});

export async function searchChats(
  { kernel }: Caller,
  { query, limit = DEFAULT_LIMIT }: z.infer<typeof SearchInput>,
): Promise<CallToolResult> {
  const { results } = await kernel.search({ q: query, limit });
  if (results.length === 0)
    return textResult('No message contains all of these words. Use fewer or other words.');
  const titles = await loadTitles(kernel, new Set(results.map(({ chat_id }) => chat_id)));
  const sections = results.map(({ chat_id, message_id, snippet }) =>
    section(`${titles.get(chat_id)} [chat_id ${chat_id}] [message_id ${message_id}]`, snippet),
  );
  return textResult(sections.join('\n\n'));
}

async function loadTitles(kernel: Caller['kernel'], ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const titled = async (id: string) => [id, (await kernel.getChat(id)).title ?? 'untitled'] as const;
  return new Map(await Promise.all([...ids].map(titled)));
}
