/** The tool `memory`: what the kernel knows in all chats. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { says } from './answers.ts';
import type { Caller } from './caller.ts';

export async function readMemory({ kernel }: Caller): Promise<CallToolResult> {
  const { entries } = await kernel.getMemory();
  if (entries.length === 0) return says('Nothing is remembered.');
  return says(entries.map(({ text, updated_at }) => `- ${text} (${updated_at.slice(0, 10)})`).join('\n'));
}
