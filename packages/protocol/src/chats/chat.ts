/** Defines chats and the requests that create and change them. */
import { z } from 'zod';
import { NameText } from '../base/bounded.ts';
import { Effort } from '../base/effort.ts';
import { ChatTitle, Id, MachineName, Timestamp, WorkdirOn } from '../base/primitives.ts';
import { TurnStatus, WaitingFor } from '../turns/turn.ts';
import { optionalSettings, shownSettings } from './chat-settings.ts';

export const Summary = z
  .object({
    text: z.string(),
    upto_message: Id,
    created_at: Timestamp,
    outside: z
      .array(z.string())
      .optional()
      .describe('The sources of text in the compacted messages that the owner did not write.'),
  })
  .meta({ id: 'Summary' });
export type Summary = z.infer<typeof Summary>;

// The order of fields on the wire is fixed; new settings follow the others.
const { title, consent, effort, model, shelf, project, ...settings } = shownSettings;

export const Chat = z
  .object({
    id: Id,
    title,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_message_at: Timestamp.nullable(),
    workdir: z.string().nullable(),
    workdir_on: WorkdirOn,
    hands: z
      .string()
      .nullable()
      .describe('The connected machine for turns whose client cannot run operations.'),
    home: z
      .string()
      .nullable()
      .describe(
        'The name of the kernel whose machine has workdir, if workdir_on is server and several kernels share the database.',
      ),
    consent,
    forked_from: Id.nullable(),
    forked_at_message: Id.nullable(),
    effort,
    model,
    shelf,
    project,
    ...settings,
    summary: Summary.nullable(),
    turn: z
      .object({ id: Id, status: TurnStatus, waiting_for: WaitingFor })
      .nullable()
      .describe('The turn that is running, sleeping or first in the queue.'),
  })
  .meta({ id: 'Chat' });
export type Chat = z.infer<typeof Chat>;

/** Longest summary that a client may set, in characters. */
const MAX_SUMMARY = 200_000;
const Workdir = z.string().min(1).max(4096).nullable();

export const CreateChat = z
  .object({
    ...optionalSettings,
    workdir: Workdir.optional(),
    workdir_on: WorkdirOn.optional(),
    hands: MachineName.nullable().optional(),
  })
  .meta({ id: 'CreateChat' });
export type CreateChat = z.infer<typeof CreateChat>;

export const PatchChat = z
  .object({
    ...optionalSettings,
    summary: z
      .object({ text: z.string().min(1).max(MAX_SUMMARY) })
      .nullable()
      .optional()
      .describe(
        'Replaces the text of the existing summary. Null: discards it, and the model sees the whole history again. Not allowed while a turn runs.',
      ),
  })
  .meta({ id: 'PatchChat' });
export type PatchChat = z.infer<typeof PatchChat>;

export const SetWorkdir = z
  .object({
    workdir: Workdir,
    workdir_on: WorkdirOn.default('client'),
    hands: MachineName.nullable().default(null).describe('Only with `workdir_on` client.'),
  })
  .meta({ id: 'SetWorkdir' });
export const SetEffort = z.object({ level: Effort.nullable() }).meta({ id: 'SetEffort' });
export type SetEffort = z.infer<typeof SetEffort>;
export const EffortSetting = z.object({ effort: Effort.nullable() }).meta({ id: 'EffortSetting' });
export type EffortSetting = z.infer<typeof EffortSetting>;
export const SetModel = z.object({ model: NameText.min(1).nullable() }).meta({ id: 'SetModel' });
export type SetModel = z.infer<typeof SetModel>;

export const ChatPage = z
  .object({ chats: z.array(Chat).describe('Newest first.'), next_before: Id.nullable() })
  .meta({ id: 'ChatPage' });
export type ChatPage = z.infer<typeof ChatPage>;

export const DeletedChat = z.object({ deleted: z.literal(true), id: Id }).meta({ id: 'DeletedChat' });
export type DeletedChat = z.infer<typeof DeletedChat>;

export const CompactResult = z
  .object({
    folded: z.boolean(),
    summary: Summary.optional().describe('The summary of the compacted history.'),
  })
  .meta({ id: 'CompactResult' });
export type CompactResult = z.infer<typeof CompactResult>;

export const ForkChat = z
  .object({
    before_message: Id.describe('The first message that is not copied.'),
    title: ChatTitle.optional().describe('Absent: the title of the parent.'),
  })
  .meta({ id: 'ForkChat' });
export type ForkChat = z.infer<typeof ForkChat>;

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
