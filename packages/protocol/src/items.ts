/** Defines the items of a chat, one schema for each kind (ITEM-1). */
import { z } from 'zod';
import { Id, JsonObject, Timestamp } from './base/primitives.ts';
import { ResolutionReason } from './base/resolution.ts';
import { Usage } from './base/usage.ts';
import { imageShape, NoteId, PlanTask, quoteShape } from './history/block.ts';
import { VersionMark } from './history/version.ts';

export const ItemStatus = z.enum(['running', 'completed', 'failed', 'aborted']).meta({ id: 'ItemStatus' });
export type ItemStatus = z.infer<typeof ItemStatus>;

/** An item of one kind: the fields of all items, and those of this kind. */
const itemSchema = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({
    id: z.string().describe('{message_id}:{n} in history, {turn_id}:{n} in a live turn.'),
    kind: z.literal(kind),
    status: ItemStatus,
    turn_id: Id.nullable().describe('Groups the items of one turn. Null for items without a turn.'),
    created_at: Timestamp,
    ...shape,
  });

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

/** A message of a user, with its attachments (ITEM-6). */
const UserMessageItem = itemSchema('user_message', {
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

/** A section of text by the model. */
const AgentMessageItem = itemSchema('agent_message', {
  text: z.string(),
  model: z
    .string()
    .optional()
    .describe('The id of the model that wrote the text. Absent if the kernel does not know it.'),
  usage: Usage.optional().describe(
    'The tokens and cost of the provider request that ended with this text. Absent while it runs, if calls or other items follow in the same message, which then has the usage, and if it is not known.',
  ),
}).meta({
  id: 'AgentMessageItem',
});

/** A section of the model's reasoning. */
const ThinkingItem = itemSchema('thinking', { text: z.string() }).meta({ id: 'ThinkingItem' });

/** A tool call with its result inside, because results are not separate items (ITEM-2). */
const ToolCallItem = itemSchema('tool_call', {
  call_id: z.string(),
  name: z.string(),
  input: JsonObject,
  output: z.string().optional().describe('Absent while the call is running.'),
  is_error: z.boolean(),
  progress: z.string().optional().describe('The latest snapshot; live only.'),
  agent: z.string().optional().describe('The sub-agent that made the call.'),
}).meta({ id: 'ToolCallItem' });

/** An operation on a client's machine. It is only in the live stream, not in history (ITEM-5). */
const ClientOpItem = itemSchema('client_op', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()).optional(),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
  hands: z
    .string()
    .optional()
    .describe('The connected machine that runs it; absent: the client of the turn.'),
}).meta({ id: 'ClientOpItem' });

/**
 * An operation that one client decides about and another party executes (CONSENT-1). It is only in the live stream, not in
 * history.
 */
const ConsentRequestItem = itemSchema('consent_request', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()),
  reason: z.string().describe('Why the kernel asks, in one sentence.'),
  outside: z.array(z.string()).describe('The sources from outside that the turn has read.'),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
  hands: z
    .string()
    .nullable()
    .optional()
    .describe('The connected machine that runs it. Null: the kernel or one of its modules.'),
  sandbox: z
    .enum(['bwrap', 'sandbox-exec', 'none'])
    .optional()
    .describe(
      'The sandbox that limits the operation. none: no sandbox. Absent: not known, or it needs none.',
    ),
}).meta({ id: 'ConsentRequestItem' });

/** An image that the model generated; its bytes are at `url` (IMG-2). */
const ImageItem = itemSchema('image', {
  image_id: Id,
  media_type: z.string(),
  url: z.string(),
}).meta({ id: 'ImageItem' });

/** The point at which older history was compacted into the chat's summary (MARK-1). */
const CompactionItem = itemSchema('compaction', {}).meta({ id: 'CompactionItem' });

/** A sentence of the kernel itself, identified by its id in the list of notes (ITEM-3). */
const MachineNoteItem = itemSchema('machine_note', { note: NoteId, text: z.string() }).meta({
  id: 'MachineNoteItem',
});

/** The whole plan. It is only in the live stream, because the plan is not part of history (PLAN-1). */
const PlanItem = itemSchema('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanItem' });

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
