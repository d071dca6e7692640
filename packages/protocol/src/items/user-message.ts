/** Defines a message of a user, with its attachments (ITEM-6). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';
import { imageShape, quoteShape } from '../history/block.ts';
import { VersionMark } from '../history/version.ts';
import { itemSchema } from './common.ts';

export const Attachment = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('image'), ...imageShape }),
    z.object({
      kind: z.literal('file'),
      id: Id,
      name: z.string(),
      size: z.int().describe('Bytes.'),
      media_type: z.string(),
      url: z.string(),
    }),
  ])
  .meta({ id: 'Attachment' });
export type Attachment = z.infer<typeof Attachment>;

export const UserMessageItem = itemSchema('user_message', {
  text: z.string(),
  attachments: z.array(Attachment),
  sender: z.string().optional(),
  master: z.boolean(),
  message_id: Id,
  quote: z.object(quoteShape).optional(),
  waiting: z
    .literal(true)
    .optional()
    .describe('The turn of the message has not started. Absent after its start.'),
  versions: VersionMark.optional().describe('Present if other versions begin at this message.'),
}).meta({ id: 'UserMessageItem' });
