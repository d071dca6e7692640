/** A conversation that was held elsewhere, as it comes into the kernel: its messages with their times, and its branches. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { ChatTitle, Id, ShelfName, Timestamp } from '../base/primitives.ts';
import { ModelSpend } from '../base/usage.ts';
import {
  ImageBlock,
  QuoteBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../history/block.ts';
import { MessageStatus } from '../history/message.ts';
import { NoteId } from '../history/note.ts';
import { CompactionProfile, Consent, Toolset } from './chat.ts';

const cutShort = z.enum(['failed', 'aborted']).optional().describe('Absent: it is whole.');
const place = z.int().min(0).describe('The place of a message in the list, from 0.');

export const ImportBlock = z
  .discriminatedUnion('type', [
    TextBlock.extend({ status: cutShort }),
    ThinkingBlock.extend({ status: cutShort }),
    ToolUseBlock,
    ToolResultBlock.extend({ aborted: z.literal(true).optional().describe('The call never returned.') }),
    ImageBlock.describe('Of a user: attached. Of the assistant: drawn.'),
    QuoteBlock,
    z
      .object({ type: z.literal('note'), note: NoteId.default('imported'), text: z.string() })
      .describe('A sentence for people, which no model reads.'),
    z
      .object({ type: z.literal('fold'), text: z.string(), upto: place })
      .describe('What stands up to a message of this list was folded into this text.'),
  ])
  .meta({ id: 'ImportBlock' });
export type ImportBlock = z.infer<typeof ImportBlock>;

export const ImportMessage = z
  .object({
    role: z.enum(['user', 'assistant']),
    created_at: Timestamp,
    content: z.array(ImportBlock).min(1),
    sender: z.string().optional(),
    status: MessageStatus.default('completed'),
  })
  .meta({ id: 'ImportMessage' });
export type ImportMessage = z.infer<typeof ImportMessage>;

export const ImportBranch = z
  .object({
    of: z
      .int()
      .min(0)
      .describe('0: of the chat. n: of the n-th branch of this list, which stands before this one.'),
    before: place.describe('The first message of that one which the branch does not have.'),
    messages: z.array(ImportMessage).min(1).describe('What stands in the branch instead.'),
  })
  .meta({ id: 'ImportBranch' });
export type ImportBranch = z.infer<typeof ImportBranch>;

export const ImportChat = z
  .object({
    source: z.string().min(1).max(50).describe('The program that it comes from, such as chatgpt.'),
    key: z
      .string()
      .min(1)
      .max(200)
      .describe('Its id there: what was imported under it is not imported again.'),
    title: ChatTitle.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp.optional(),
    last_message_at: Timestamp.nullable().optional().describe('Absent: that of the last message.'),
    shelf: ShelfName.optional(),
    project: z.string().nullable().optional(),
    effort: Effort.nullable().optional(),
    consent: Consent.optional(),
    compaction: CompactionProfile.optional(),
    toolset: Toolset.optional(),
    summary: z.object({ text: z.string(), upto: place, created_at: Timestamp }).optional(),
    usage: z.array(ModelSpend).optional().describe('What it has used, by model.'),
    messages: z.array(ImportMessage),
    branches: z.array(ImportBranch).optional().describe('Each becomes a fork.'),
  })
  .meta({ id: 'ImportChat' });
export type ImportChat = z.infer<typeof ImportChat>;

export const ImportedChat = z
  .object({
    status: z
      .enum(['created', 'known', 'grown', 'changed'])
      .describe(
        '`known`: imported before. `grown`: the same, and the messages that it has more now were appended. `changed`: the same, but it had other messages then; nothing was written.',
      ),
    appended: z.int().optional().describe('With `grown`: how many messages came.'),
    reason: z
      .enum(['chat_changed', 'conversation_changed', 'busy'])
      .optional()
      .describe(
        'With `changed`: the chat does not end as it was imported; the conversation has not only grown at its end; or a turn of the chat is open, or another kernel has it.',
      ),
    chat_id: Id.nullable().describe('Null: it would be created, where nothing is written.'),
    forks: z.array(Id).describe('The chats that its branches became.'),
  })
  .meta({ id: 'ImportedChat' });
export type ImportedChat = z.infer<typeof ImportedChat>;
