/** Defines an imported conversation from another program: its messages with their times, and its branches. */
import { z } from 'zod';
import {
  boundedObject,
  ImageText,
  list,
  ModelText,
  NameText,
  OutputText,
  QuoteText,
} from '../base/bounded.ts';
import { Timestamp } from '../base/primitives.ts';
import { ModelSpend, Usage } from '../base/usage.ts';
import {
  ImageBlock,
  NoteId,
  QuoteBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../history/block.ts';
import { MessageStatus } from '../history/message.ts';
import { CHAT_SETTINGS, type ChatSettings, optionalSettings } from './chat-settings.ts';

const cutShort = z.enum(['failed', 'aborted']).optional().describe('Absent: it is complete.');
const place = z.int().min(0).describe('The position of a message in the list, from 0.');

export const ImportBlock = z
  .discriminatedUnion('type', [
    TextBlock.extend({ text: ModelText, status: cutShort }),
    ThinkingBlock.extend({ text: ModelText, status: cutShort }),
    ToolUseBlock.extend({
      id: NameText.describe('The call id, unique within the chat.'),
      name: NameText,
      input: boundedObject(10_000),
    }),
    ToolResultBlock.extend({
      tool_use_id: NameText,
      output: OutputText,
      aborted: z.literal(true).optional().describe('The call returned no result.'),
    }),
    ImageBlock.extend({ data: ImageText.describe('base64') }).describe(
      'From a user: an attachment. From the assistant: a generated image.',
    ),
    QuoteBlock.extend({ ext_id: NameText.optional(), text: QuoteText }),
    z
      .object({ type: z.literal('note'), note: NoteId.default('imported'), text: ModelText })
      .describe('A sentence for people. Models do not see it.'),
    z
      .object({ type: z.literal('fold'), text: ModelText, upto: place })
      .describe('The summary of the messages up to one message of this list.'),
  ])
  .meta({ id: 'ImportBlock' });
export type ImportBlock = z.infer<typeof ImportBlock>;

/** The maximum number of messages in one list. */
const MAX_IMPORTED = 100_000;

export const ImportMessage = z
  .object({
    role: z.enum(['user', 'assistant']),
    created_at: Timestamp,
    content: list(ImportBlock, 10_000).min(1),
    sender: NameText.optional(),
    status: MessageStatus.default('completed'),
    model: NameText.optional().describe(
      'The model that wrote the message, by its name in the source program.',
    ),
    usage: Usage.optional().describe('The tokens and cost of the provider request that returned it.'),
  })
  .meta({ id: 'ImportMessage' });
export type ImportMessage = z.infer<typeof ImportMessage>;

export const ImportBranch = z
  .object({
    of: z
      .int()
      .min(0)
      .describe('0: the chat. n: the n-th branch of this list, which must come before this one.'),
    before: place.describe('The first message of the parent that is not in the branch.'),
    messages: list(ImportMessage, MAX_IMPORTED).min(1).describe('The messages of the branch from there on.'),
  })
  .meta({ id: 'ImportBranch' });
export type ImportBranch = z.infer<typeof ImportBranch>;

// Every setting except the model, which this kernel may not have. The order of fields on the wire is fixed.
const { title, shelf, project: _, model: __, effort, consent, compaction, ...settings } = optionalSettings;

export const ImportChat = z
  .object({
    source: z.string().min(1).max(50).describe('The source program, such as chatgpt.'),
    key: z
      .string()
      .min(1)
      .max(200)
      .describe('Its id in the source program, which prevents importing it twice.'),
    title: title.unwrap(),
    created_at: Timestamp,
    updated_at: Timestamp.optional(),
    last_message_at: Timestamp.nullable().optional().describe('Absent: the time of the last message.'),
    shelf,
    project: NameText.nullable().optional(),
    effort,
    consent,
    compaction,
    ...settings,
    summary: z.object({ text: ModelText, upto: place, created_at: Timestamp }).optional(),
    usage: list(ModelSpend.extend({ model: NameText }), 10_000)
      .optional()
      .describe('Its usage, by model.'),
    messages: list(ImportMessage, MAX_IMPORTED),
    branches: list(ImportBranch, 10_000).optional().describe('Each becomes a fork.'),
  })
  .meta({ id: 'ImportChat' });
export type ImportChat = z.infer<typeof ImportChat>;

type ImportedSettings = Pick<ChatSettings, keyof ChatSettings & keyof ImportChat>;
/** The settings of a chat that an import keeps. */
export const importedSettings = (chat: ImportedSettings): ImportedSettings =>
  Object.fromEntries(
    CHAT_SETTINGS.filter(name => name in ImportChat.shape).map(name => [
      name,
      chat[name as keyof ImportedSettings],
    ]),
  ) as ImportedSettings;
