/** Defines messages, the history of a chat. */
import { z } from 'zod';
import { ClientId, Id, Timestamp } from '../base/primitives.ts';
import { UndoneFile } from '../base/undone-file.ts';
import { Usage } from '../base/usage.ts';
import { Block } from './block.ts';
import { VersionMark } from './version.ts';

export const MessageStatus = z.enum(['completed', 'failed', 'aborted']);
export type MessageStatus = z.infer<typeof MessageStatus>;

const WAITING = 'The turn of the message has not started. Absent after its start.';

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
      .describe(
        'Absent: the message is from the master. `kernel`: context that the kernel wrote for the model.',
      ),
    master: z
      .boolean()
      .describe(
        'True for every message without a sender, the compaction marker included, and for one of a person who was marked master when it was stored.',
      ),
    kernel: z
      .literal(true)
      .optional()
      .describe(
        'The kernel wrote the message for the model, such as the notebook, the plan or the memory. Absent on all other messages.',
      ),
    created_at: Timestamp,
    status: MessageStatus,
    model: z
      .string()
      .optional()
      .describe(
        'The id of the model that wrote the message. Absent if no model wrote it, or if the kernel does not know which one did.',
      ),
    usage: Usage.optional().describe(
      'The tokens and cost of the provider request that returned the message. Absent if they are not known.',
    ),
    waiting: z.literal(true).optional().describe(WAITING),
    versions: VersionMark.optional().describe('Present if other versions begin at this message.'),
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
    deleted: z.int().describe('The number of deleted messages.'),
    first_deleted: Id,
    not_undone: z
      .array(z.object({ tool: z.string(), summary: z.string() }))
      .describe('Calls with side effects outside the chat, which a rewind does not undo.'),
  })
  .meta({ id: 'RewoundMessages' });
export type RewoundMessages = z.infer<typeof RewoundMessages>;

export const RewindFiles = z
  .object({
    files: z
      .enum(['preview', 'restore'])
      .optional()
      .describe(
        'preview: returns what a rewind would do to files, and changes nothing. restore: restores the files, then rewinds; does neither if one of them was changed later. Absent: rewinds, and leaves the files.',
      ),
    client_id: ClientId.optional().describe(
      'The calling client, if it can run operations: it is asked about edits on clients. Absent: the client of the turn.',
    ),
  })
  .meta({ id: 'RewindFiles' });
export type RewindFiles = z.infer<typeof RewindFiles>;

export const RewoundFiles = z
  .object({
    files: z
      .array(UndoneFile)
      .describe('The files that tools wrote in the removed part. Empty without `files`.'),
    not_undone: RewoundMessages.shape.not_undone,
    deleted: z.int().optional().describe('The number of removed messages. Absent with preview.'),
    first_deleted: Id.optional().describe('Absent with preview.'),
    version_id: Id.optional().describe(
      'The version with the removed messages. Absent with preview, and if only waiting messages were removed.',
    ),
  })
  .meta({ id: 'RewoundFiles' });
export type RewoundFiles = z.infer<typeof RewoundFiles>;
