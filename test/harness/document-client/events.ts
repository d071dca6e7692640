/**
 * Describes the events and items of the API document with their fields and types. Written from the document only: it
 * imports nothing of the project. Further fields, events and kinds are additions, and are skipped.
 */
import { z } from 'zod';

/** Tokens, bytes, indices. */
export const count = z.int().min(0);
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const record = z.record(z.string(), z.unknown());

/** Lists that the document closes: its clients know no other value. */
export const LEVEL = z.enum(['off', 'low', 'mid', 'high']);
const STATUS = z.enum(['running', 'completed', 'failed', 'aborted']);
const REQUEST_KIND = z.enum(['op', 'question']);
const REASON = z.enum(['answered', 'expired', 'turn_ended', 'cancelled']);

/** Parameters of the client operations. A later version may add actions. */
const PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  read: z.looseObject({}),
  write: z.looseObject({}),
  shell: z.looseObject({ command: z.string() }),
  read_bytes: z.looseObject({ path: z.string(), offset: count, size: count }),
  write_bytes: z.looseObject({ path: z.string(), offset: count, data: base64, truncate: z.boolean() }),
  find_bytes: z.looseObject({ path: z.string(), data: z.string(), offset: count, limit: count }),
  // The service action shows no dialog.
  list_up: z.looseObject({
    path: z.string(),
    names: z.array(z.string()),
    decisions: z.undefined().optional(),
  }),
};

const clientOp = z
  .looseObject({
    id: z.string(),
    op_id: z.string().optional(),
    action: z.string(),
    decisions: z.array(z.string()).optional(),
    agent: z.string().optional(),
  })
  .refine(({ id, op_id }) => op_id === undefined || op_id === id, 'id and op_id are two ids')
  .superRefine((event, context) => refuse(PARAMETERS[event.action], event, context));

const endsIn = (what: string, id: string): boolean => what.endsWith(`/images/${id}`);

/** The fields of each event, by its type. */
export const EVENTS: Readonly<Record<string, z.ZodType>> = {
  text_delta: z.looseObject({}),
  thinking_delta: z.looseObject({}),
  tool_call: z.looseObject({ id: z.string(), name: z.string(), input: record }),
  tool_result: z.looseObject({}),
  tool_progress: z.looseObject({}),
  client_op: clientOp,
  extra_tool_call: z.looseObject({ id: z.string(), name: z.string(), input: record }),
  request_resolved: z
    .looseObject({ id: z.string(), kind: REQUEST_KIND, reason: REASON, question: count.optional() })
    .refine(
      ({ kind, question }) => (kind === 'question') === (question !== undefined),
      'questions have a number, operations none',
    ),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      reasoning_tokens: count,
      // Clients compute the used share of the context window from it, so it belongs to the turn itself and never to a
      // sub-agent.
      agent: z.undefined().optional(),
    })
    .refine(
      ({ completion_tokens, reasoning_tokens }) => reasoning_tokens <= completion_tokens,
      'reasoning_tokens is a part of completion_tokens',
    ),
  compacting: z.looseObject({}),
  turn_squeezed: z.looseObject({ freed_chars: count }),
  sleeping: z.looseObject({}),
  image: z
    .looseObject({ id: uuid, media_type: z.string().regex(/^image\//), url: z.string() })
    .refine(({ id, url }) => endsIn(url, id), 'url ends in /images/<id>'),
  plan: z.looseObject({ tasks: z.array(z.unknown()) }),
  done: z.looseObject({}),
  error: z.looseObject({}),
  // The document does not name the fields that hold the item, its id and the added text; these names are from the
  // service.
  item_started: z.looseObject({ item: z.looseObject({ status: z.literal('running') }) }),
  item_delta: z.looseObject({ item_id: z.string(), delta: z.looseObject({ type: z.string() }) }),
  item_completed: z.looseObject({ item: z.looseObject({ status: STATUS.exclude(['running']) }) }),
};

const attachment = z.looseObject({ kind: z.string() }).superRefine((part, context) => {
  if (part.kind === 'image') refuse(z.looseObject({ data: base64 }), part, context);
  if (part.kind !== 'file') return;
  const file = z.looseObject({
    name: z.string(),
    size: count,
    url: z.string(),
    data: z.undefined().optional(),
  });
  refuse(file, part, context);
});

/** The fields of every item. `turn_id` is null for an item that no turn created, such as the marker of a branch. */
const ITEM = z.looseObject({
  id: z.string(),
  kind: z.string(),
  status: STATUS,
  turn_id: z.string().nullable(),
});

/** The further fields of an item, by its kind. */
const ITEMS: Readonly<Record<string, z.ZodType>> = {
  user_message: z.looseObject({ attachments: z.array(attachment).optional() }),
  agent_message: z.looseObject({}),
  thinking: z.looseObject({}),
  tool_call: z.looseObject({ call_id: z.string() }),
  client_op: z.looseObject({ decisions: z.array(z.string()).optional(), agent: z.string().optional() }),
  image: z
    .looseObject({ image_id: uuid, url: z.string() })
    .refine(({ image_id, url }) => endsIn(url, image_id), 'url ends in /images/<id>'),
  compaction: z.looseObject({}),
  machine_note: z.looseObject({ note: z.string() }),
  plan: z.looseObject({ tasks: z.array(z.unknown()) }),
};

/** Adds the issues that another schema finds in the same value. */
function refuse(schema: z.ZodType | undefined, value: unknown, context: z.RefinementCtx): void {
  for (const { path, message } of schema?.safeParse(value).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
}

/** Throws if a value does not have this shape. @param what name of the value for the error message */
export function hold(schema: z.ZodType | undefined, value: unknown, what: string): void {
  const issues = schema?.safeParse(value).error?.issues ?? [];
  if (issues.length === 0) return;
  const said = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw against(`${what}: ${said}`, value);
}

/** Checks the common fields of an item, and those of its kind if the document knows the kind. */
export function holdItem(item: unknown, what: string): void {
  hold(ITEM, item, what);
  hold(ITEMS[(item as { kind: string }).kind], item, what);
}

export const against = (what: string, came: unknown): Error =>
  new Error(`against the API document: ${what}: ${JSON.stringify(came)}`);
