/** Imports a chat with more messages than the page loads at first. */
import { randomUUID } from 'node:crypto';
import type { Web } from './open-page.ts';

const BEGUN = Date.UTC(2026, 0, 1);

/**
 * Returns the id of the chat. Turn n has a message with the word `Question<n>` and an answer with `Answer<n>`.
 * @param last the last answer
 */
export async function importLongChat(web: Web, turns: number, last = ''): Promise<string> {
  const message = (n: number, role: 'user' | 'assistant', text: string) => ({
    role,
    created_at: new Date(BEGUN + n * 1000).toISOString(),
    content: [{ type: 'text' as const, text }],
  });
  const { chat_id } = await web.kernel.client.importChat({
    source: 'test',
    key: randomUUID(),
    title: 'Long',
    created_at: new Date(BEGUN).toISOString(),
    messages: Array.from({ length: turns }, (_, n) => [
      message(2 * n, 'user', `Question${n}`),
      message(
        2 * n + 1,
        'assistant',
        n === turns - 1 && last ? last : `Answer${n}.\n\n${'It goes over several lines. '.repeat(12)}`,
      ),
    ]).flat(),
  });
  if (chat_id === null) throw new Error('the chat was not imported');
  return chat_id;
}
