/** Connects OpenAI's own client to a kernel, and sends requests as other clients write them. */
import type { IncomingMessage } from 'node:http';
import OpenAI from 'openai';
import { exchange } from './http.ts';
import type { TestKernel } from './kernel.ts';
import { MODEL_OF } from './settings.ts';

export const MODEL = `scripted/${MODEL_OF['openai-compatible']}`;

/** The SDK without retries, unless a test wants them. */
export const openaiOf = (
  { url }: Pick<TestKernel, 'url'>,
  maxRetries = 0,
  apiKey = 'sk-of-the-caller',
): OpenAI => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries });

/** Posts a raw request and returns the head of its response. */
export const postRaw = (
  { url }: Pick<TestKernel, 'url'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> =>
  exchange(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The chats that requests created, newest first. */
export const chatsOf = async ({ client }: TestKernel) => (await client.listChats({ shelf: 'openai' })).chats;

/** The messages of the last request to the model, as role and text. */
export function askedLast({ upstream }: TestKernel): string[] {
  const { messages } = upstream.requests.at(-1)!.body;
  return messages.map(({ role, content }: { role: string; content: unknown }) => {
    const words = typeof content === 'string' ? content : JSON.stringify(content);
    return `${role}: ${words}`;
  });
}
