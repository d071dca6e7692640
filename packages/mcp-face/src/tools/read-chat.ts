/** Implements the tool `read_chat`: the messages of users and models in a chat, without outputs of tools. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { section, textResult } from './answers.ts';
import type { Caller } from './caller.ts';

const DEFAULT_LIMIT = 20;

export const ReadInput = z.object({
  chat_id: z.uuid().describe('A chat id from search_chats or ask.'),
  before: z
    .string()
    .min(1)
    .optional()
    .describe('The cursor from the last page; default: the end of the chat.'),
  limit: z.int().min(1).max(100).optional().describe(`Maximum number of messages; default ${DEFAULT_LIMIT}.`),
});

export async function readChat(
  { kernel }: Caller,
  { chat_id, before, limit = DEFAULT_LIMIT }: z.infer<typeof ReadInput>,
): Promise<CallToolResult> {
  const { title } = await kernel.getChat(chat_id);
  const page = { limit, ...(before !== undefined && { before }) };
  const { items, next_before } = await kernel.listItems(chat_id, page);
  const said = items.flatMap(item => {
    if (item.kind === 'agent_message') return [section(`assistant, ${item.created_at}`, item.text)];
    if (item.kind !== 'user_message') return [];
    return [section(`${item.master ? 'owner' : item.sender!}, ${item.created_at}`, item.text)];
  });
  if (items.length === 0) return textResult('There are no more messages.');
  const rest = next_before === null ? [] : [`[for older messages, read with before ${next_before}]`];
  return textResult([title ?? 'untitled', ...said, ...rest].join('\n\n'));
}
