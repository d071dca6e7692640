/** Lists the item kinds (ITEM-1). */
import { z } from 'zod';
import { AgentMessageItem } from './agent-message.ts';
import { ClientOpItem } from './client-op.ts';
import { CompactionItem } from './compaction.ts';
import { ConsentRequestItem } from './consent-request.ts';
import { ImageItem } from './image.ts';
import { MachineNoteItem } from './machine-note.ts';
import { PlanItem } from './plan.ts';
import { ThinkingItem } from './thinking.ts';
import { ToolCallItem } from './tool-call.ts';
import { UserMessageItem } from './user-message.ts';

export const Item = z
  .discriminatedUnion('kind', [
    UserMessageItem,
    AgentMessageItem,
    ThinkingItem,
    ToolCallItem,
    ClientOpItem,
    ConsentRequestItem,
    ImageItem,
    CompactionItem,
    MachineNoteItem,
    PlanItem,
  ])
  .meta({ id: 'Item' });
export type Item = z.infer<typeof Item>;
export type ItemKind = Item['kind'];

export const ItemPage = z
  .object({
    items: z.array(Item).describe('Oldest first. `limit` counts source messages, not items.'),
    next_before: z.string().nullable().describe('Cursor of the next, older page; null on an empty page.'),
  })
  .meta({ id: 'ItemPage' });
export type ItemPage = z.infer<typeof ItemPage>;

export { ItemStatus } from './common.ts';
export { Attachment } from './user-message.ts';
