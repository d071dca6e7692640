/** Full-text search over the messages of all chats. */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const FoundMessage = z
  .object({
    chat_id: Id,
    message_id: Id,
    snippet: z
      .string()
      .describe('What stands around the words that were found, which stand between ** and **.'),
    waiting: z.literal(true).optional().describe('The turn of the message has not begun.'),
  })
  .meta({ id: 'FoundMessage' });

export const SearchResults = z
  .object({ results: z.array(FoundMessage).describe('The newest first.') })
  .meta({ id: 'SearchResults' });
export type SearchResults = z.infer<typeof SearchResults>;
