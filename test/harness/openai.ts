/** OpenAI's own client at a kernel, and requests as other clients write them. */
import type { IncomingMessage } from 'node:http';
import OpenAI from 'openai';
import { exchange } from './http.ts';
import type { TestKernel } from './kernel.ts';
import { MODEL_OF } from './settings.ts';

export const MODEL = `scripted/${MODEL_OF['openai-compatible']}`;

/** The SDK; no attempt of its own is repeated, unless a test wants it. */
export const openaiOf = (
  { url }: Pick<TestKernel, 'url'>,
  maxRetries = 0,
  apiKey = 'sk-of-the-caller',
): OpenAI => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries });

/** A request as it is written, and the head of its answer. */
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

/** The chats that requests have made, the newest first. */
export const chatsOf = async ({ client }: TestKernel) => (await client.listChats({ shelf: 'openai' })).chats;

/** What the model was asked last, as role and words. */
export function askedLast({ upstream }: TestKernel): string[] {
  const { messages } = upstream.requests.at(-1)!.body;
  return messages.map(({ role, content }: { role: string; content: unknown }) => {
    const words = typeof content === 'string' ? content : JSON.stringify(content);
    return `${role}: ${words}`;
  });
}
