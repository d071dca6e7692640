/** Chats and the requests that make and change them. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { ChatTitle, Id, MachineName, ShelfName, Timestamp, WorkdirOn } from '../base/primitives.ts';
import { TurnStatus } from '../turns/turn.ts';

export const Consent = z
  .enum(['auto', 'ask'])
  .describe("Whether the owner is asked before tools change the kernel's own machine.");
export const CompactionProfile = z.enum(['auto', 'tight', 'roomy', 'off']);
export const Toolset = z
  .object({
    loaded: z.array(z.string()).default([]).describe('Folded groups that were loaded for the chat.'),
    disabled: z.array(z.string()).default([]).describe('Groups that the chat does not offer.'),
  })
  .meta({ id: 'Toolset' });
export type Toolset = z.infer<typeof Toolset>;

export const Summary = z
  .object({ text: z.string(), upto_message: Id, created_at: Timestamp })
  .meta({ id: 'Summary' });
export type Summary = z.infer<typeof Summary>;

export const Chat = z
  .object({
    id: Id,
    title: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    last_message_at: Timestamp.nullable(),
    workdir: z.string().nullable(),
    workdir_on: WorkdirOn,
    hands: z
      .string()
      .nullable()
      .describe('The machine that stands by on which turns act whose own client has no hands.'),
    home: z
      .string()
      .nullable()
      .describe(
        'The machine of workdir by the name of its kernel, where workdir_on is server and several kernels share the database.',
      ),
    consent: Consent,
    forked_from: Id.nullable(),
    forked_at_message: Id.nullable(),
    effort: Effort.nullable().describe('Null: not set for this chat.'),
    model: z.string().nullable().describe('Null: the default model.'),
    shelf: z.string(),
    project: z.string().nullable(),
    toolset: Toolset,
    compaction: CompactionProfile,
    summary: Summary.nullable(),
    turn: z
      .object({ id: Id, status: TurnStatus })
      .nullable()
      .describe('The turn that is now running, sleeping or first in the queue.'),
  })
  .meta({ id: 'Chat' });
export type Chat = z.infer<typeof Chat>;

const changeable = {
  title: ChatTitle.nullable().optional(),
  shelf: ShelfName.optional(),
  project: z.string().min(1).max(500).nullable().optional(),
  model: z.string().min(1).nullable().optional(),
  effort: Effort.nullable().optional(),
  toolset: Toolset.optional(),
  compaction: CompactionProfile.optional(),
  consent: Consent.optional(),
};
/** Longest summary that a client may set, in characters. */
const MAX_SUMMARY = 200_000;
const Workdir = z.string().min(1).max(4096).nullable();

export const CreateChat = z
  .object({
    ...changeable,
    workdir: Workdir.optional(),
    workdir_on: WorkdirOn.optional(),
    hands: MachineName.nullable().optional(),
  })
  .meta({ id: 'CreateChat' });
export type CreateChat = z.infer<typeof CreateChat>;

export const PatchChat = z
  .object({
    ...changeable,
    summary: z
      .object({ text: z.string().min(1).max(MAX_SUMMARY) })
      .nullable()
      .optional()
      .describe(
        'Another text for the summary that is there. Null: the model is told the whole history again. Not while a turn runs.',
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
export const EffortSetting = z.object({ effort: Effort.nullable() }).meta({ id: 'EffortSetting' });
export const SetModel = z.object({ model: z.string().min(1).nullable() }).meta({ id: 'SetModel' });

export const ChatPage = z
  .object({ chats: z.array(Chat).describe('Newest first.'), next_before: Id.nullable() })
  .meta({ id: 'ChatPage' });
export type ChatPage = z.infer<typeof ChatPage>;

export const DeletedChat = z.object({ deleted: z.literal(true), id: Id }).meta({ id: 'DeletedChat' });

export const CompactResult = z
  .object({ folded: z.boolean(), summary: Summary.optional().describe('What history was folded into.') })
  .meta({ id: 'CompactResult' });
export type CompactResult = z.infer<typeof CompactResult>;
