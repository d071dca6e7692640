/** Defines full-text search over the messages of all chats. */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const FoundMessage = z
  .object({
    chat_id: Id,
    message_id: Id,
    snippet: z.string().describe('The text around the matches, which are enclosed in **.'),
    waiting: z.literal(true).optional().describe('The turn of the message has not started.'),
  })
  .meta({ id: 'FoundMessage' });

export const SearchResults = z
  .object({ results: z.array(FoundMessage).describe('Newest first.') })
  .meta({ id: 'SearchResults' });
export type SearchResults = z.infer<typeof SearchResults>;
