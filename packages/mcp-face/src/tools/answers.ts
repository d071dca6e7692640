/** Results of tools, as models read them. */
import { KernelApiError } from '@chat-kernel/client';
import type { CallToolResult } from '@modelcontextprotocol/server';

export const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const refuses = (text: string): CallToolResult => ({ ...says(text), isError: true });

/** Returns what `run` does, or why the kernel has refused it. */
export async function unlessRefused(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KernelApiError) return refuses(`The kernel refused it: ${error.detail}`);
    throw error;
  }
}

/** A text under a line that says whose it is. */
export const section = (title: string, content: string): string => `== ${title}\n${content}`;
