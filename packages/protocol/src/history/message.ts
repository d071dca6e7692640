/** Messages: the memory of a chat. */
import { z } from 'zod';
import { ClientId, Id, Timestamp } from '../base/primitives.ts';
import { UndoneFile } from '../base/undone-file.ts';
import { Block } from './block.ts';

export const MessageStatus = z.enum(['completed', 'failed', 'aborted']);
export type MessageStatus = z.infer<typeof MessageStatus>;

const WAITING = 'The turn of the message has not begun; absent once it has.';

export const Message = z
  .object({
    id: Id,
    chat_id: Id,
    role: z.enum(['user', 'assistant']),
    turn_id: Id.nullable(),
    content: z.array(Block),
    sender: z
      .string()
      .optional()
      .describe('Absent: the master speaks. `kernel`: context that the kernel itself wrote for the model.'),
    master: z.boolean().describe('True for every message without a sender, the compaction marker included.'),
    created_at: Timestamp,
    status: MessageStatus,
    waiting: z.literal(true).optional().describe(WAITING),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

export const MessagePage = z
  .object({
    messages: z.array(Message).describe('Oldest first.'),
    next_before: Id.nullable().describe('Cursor of the next, older page; null on an empty page.'),
  })
  .meta({ id: 'MessagePage' });
export type MessagePage = z.infer<typeof MessagePage>;

export const RewoundMessages = z
  .object({
    deleted: z.int().describe('How many messages went.'),
    first_deleted: Id,
    not_undone: z
      .array(z.object({ tool: z.string(), summary: z.string() }))
      .describe('Calls with an effect outside the chat that a rewind does not undo.'),
  })
  .meta({ id: 'RewoundMessages' });
export type RewoundMessages = z.infer<typeof RewoundMessages>;

export const RewindFiles = z
  .object({
    files: z
      .enum(['preview', 'restore'])
      .describe(
        'preview: says what a rewind would do to files, and does nothing. restore: puts the files back, then rewinds; where one of them was changed since, neither.',
      ),
    client_id: ClientId.optional().describe(
      'The client that calls, where it has hands: it is asked about edits of clients. Absent: the client whose turn it was.',
    ),
  })
  .meta({ id: 'RewindFiles' });
export type RewindFiles = z.infer<typeof RewindFiles>;

export const RewoundFiles = z
  .object({
    files: z.array(UndoneFile).describe('The files that tools of the deleted part have written.'),
    not_undone: RewoundMessages.shape.not_undone,
    deleted: z.int().optional().describe('How many messages went; absent with preview.'),
    first_deleted: Id.optional().describe('Absent with preview.'),
  })
  .meta({ id: 'RewoundFiles' });
export type RewoundFiles = z.infer<typeof RewoundFiles>;
