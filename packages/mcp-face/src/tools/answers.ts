/** Formats the results of tools for models. */
import { KernelApiError } from '@chat-kernel/client';
import type { CallToolResult } from '@modelcontextprotocol/server';

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const errorResult = (text: string): CallToolResult => ({ ...textResult(text), isError: true });

/** Returns the result of `run`. If the kernel rejects the request, returns the reason as an error result. */
export async function reportRejection(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KernelApiError)
      return errorResult(`The kernel rejected the request: ${error.detail}`);
    throw error;
  }
}

/** A text under a title line. */
export const section = (title: string, content: string): string => `== ${title}\n${content}`;
