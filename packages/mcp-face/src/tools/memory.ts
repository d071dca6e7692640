/** Implements the tool `memory`: what the kernel remembers across all chats. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { textResult } from './answers.ts';
import type { Caller } from './caller.ts';

export async function readMemory({ kernel }: Caller): Promise<CallToolResult> {
  const { entries } = await kernel.getMemory();
  if (entries.length === 0) return textResult('No memories yet.');
  return textResult(
    entries.map(({ text, updated_at }) => `- ${text} (${updated_at.slice(0, 10)})`).join('\n'),
  );
}
