/** Defines the versions of a chat: what stood at a place before a retry, an edit or a rewind (EDIT-2). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

/** The maximum length of a preview, in characters. */
export const PREVIEW_CHARS = 200;

/** The place of a message among the versions that begin at the same place (EDIT-3). */
export const VersionMark = z
  .object({
    index: z.int().min(1),
    count: z.int().min(2),
    ids: z.array(Id).describe('The ids of all versions at this place, oldest first.'),
  })
  .meta({ id: 'VersionMark' });
export type VersionMark = z.infer<typeof VersionMark>;

export const ChatVersion = z
  .object({
    id: Id,
    first_message_id: Id,
    created_at: Timestamp.describe('When its first message was stored.'),
    messages: z.int().describe('The number of its messages.'),
    preview: z.string().describe(`The text of its first message, at most ${PREVIEW_CHARS} characters.`),
    model: z.string().nullable().describe('The model of its first turn; null if it has none.'),
    active: z.boolean().describe('The chat shows this version.'),
  })
  .meta({ id: 'ChatVersion' });
export type ChatVersion = z.infer<typeof ChatVersion>;

export const VersionFork = z
  .object({
    inside: Id.nullable().describe(
      'The version that contains the place; null if the place is in what the chat shows.',
    ),
    versions: z
      .array(ChatVersion)
      .describe('Oldest first. At most one is active: none after a rewind, until the next message.'),
  })
  .meta({ id: 'VersionFork' });
export type VersionFork = z.infer<typeof VersionFork>;

export const ChatVersions = z
  .object({ forks: z.array(VersionFork).describe('One entry for each place with versions, oldest first.') })
  .meta({ id: 'ChatVersions' });
export type ChatVersions = z.infer<typeof ChatVersions>;
