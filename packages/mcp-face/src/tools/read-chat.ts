/** The tool `read_chat`: what people and models said in a chat, without what tools answered. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { says, section } from './answers.ts';
import type { Caller } from './caller.ts';

const DEFAULT_LIMIT = 20;

export const ReadInput = z.object({
  chat_id: z.uuid().describe('As search_chats and ask give it.'),
  before: z.string().min(1).optional().describe('The place that the last page names; default: the end.'),
  limit: z.int().min(1).max(100).optional().describe(`Most messages; default ${DEFAULT_LIMIT}.`),
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
    return [section(`${item.sender ?? 'owner'}, ${item.created_at}`, item.text)];
  });
  if (items.length === 0) return says('Nothing more was said there.');
  const rest = next_before === null ? [] : [`[read on with before ${next_before}]`];
  return says([title ?? 'untitled', ...said, ...rest].join('\n\n'));
}
