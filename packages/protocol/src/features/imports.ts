/** Defines the outcome of an import. The schema of its input is in the protocol, because the importers produce it. */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const ImportedChat = z
  .object({
    status: z
      .enum(['created', 'known', 'grown', 'changed'])
      .describe(
        '`known`: already imported. `grown`: already imported, and its new messages were appended. `changed`: already imported with different messages; nothing was written.',
      ),
    appended: z.int().optional().describe('With `grown`: the number of appended messages.'),
    reason: z
      .enum(['chat_changed', 'conversation_changed', 'busy'])
      .optional()
      .describe(
        'With `changed`, the reason: the chat has changed since the import, the conversation differs in more than new messages at its end, a turn of the chat is open, or another kernel owns the chat.',
      ),
    chat_id: Id.nullable().describe('Null in a dry run if the chat would be created.'),
    forks: z.array(Id).describe('The chats created from its branches.'),
  })
  .meta({ id: 'ImportedChat' });
export type ImportedChat = z.infer<typeof ImportedChat>;
