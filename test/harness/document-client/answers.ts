/**
 * Describes the response bodies of the API document by address. Written from the document only; additions are skipped.
 */
import { z } from 'zod';
import { against, count, hold, holdItem, LEVEL } from './events.ts';

const text = z.string();
const chunk = z.looseObject({ total: count, data: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/) });

/** `effort` is null if it is not set. */
const chat = z.looseObject({
  id: text.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  workdir: text.nullable(),
  workdir_on: z.enum(['client', 'server']),
  forked_from: text.nullish(),
  forked_at_message: text.nullish(),
  effort: LEVEL.nullish(),
});
const branch = chat.extend({ forked_from: text, forked_at_message: text });

/** The exact text of the compaction marker. */
const FOLDED = '[compacted] Older history was folded into the chat summary here.';

const message = z
  .looseObject({
    id: text,
    role: text,
    content: z.array(z.looseObject({ type: text })),
    sender: text.optional(),
    master: z.boolean(),
  })
  .refine(({ sender, master }) => sender !== undefined || master, 'without a sender it is of the master')
  .refine(
    ({ role, content }) => !isFolded(content) || (role === 'user' && content.length === 1),
    'the marker is the one block of a message of role user',
  );
const isFolded = (content: Record<string, unknown>[]): boolean =>
  content.some(({ type, text: said }) => type === 'text' && said === FOLDED) &&
  // Users may write these words in a longer message.
  content.every(({ type }) => type === 'text');

const plan = z.looseObject({ tasks: z.array(z.unknown()) });
const model = z.looseObject({ effort: LEVEL.nullish(), efforts: z.array(LEVEL) });
const tool = z.looseObject({
  name: text,
  description: text,
  input_schema: z.record(text, z.unknown()),
  group: text,
  trusted_only: z.boolean(),
  client_only: z.boolean(),
  on_demand: z.boolean(),
});

const video = z
  .looseObject({ video_id: text, position_s: z.number().nullable(), duration_s: z.number() })
  .refine(({ position_s, duration_s }) => {
    if (position_s === null) return true;
    return duration_s > 0 && position_s >= 0.02 * duration_s && position_s <= 0.97 * duration_s;
  }, 'a place is kept within 2% and 97% of the length alone');

/** Method and address → the body of a success response. A star matches any id. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'POST /v1/chats': chat,
  'GET /v1/chats/*': chat,
  'PUT /v1/chats/*/workdir': chat,
  'PUT /v1/chats/*/model': chat,
  'PUT /v1/chats/*/effort': z.looseObject({ effort: LEVEL.nullish() }),
  'POST /v1/chats/*/fork': branch,
  'GET /v1/chats/*/messages': z.looseObject({ messages: z.array(message) }),
  'GET /v1/chats/*/items': z.looseObject({ items: z.array(z.unknown()) }),
  'GET /v1/chats/*/plan': plan,
  'GET /v1/chats/*/spend': z.looseObject({ prefix_tokens: count }),
  'POST /v1/files': z.looseObject({ id: text, name: text, media_type: text, size: count }),
  'GET /v1/models': z.looseObject({
    models: z.array(model),
    context_windows: z.record(text, count),
    effort_default: LEVEL,
  }),
  'GET /v1/stats': z.looseObject({
    rate_limits: z.record(text, z.unknown()),
    triage: z.looseObject({ misses: count }),
  }),
  'GET /v1/tools': z.looseObject({ tools: z.array(tool) }),
  'POST /v1/complete': z.looseObject({ text }),
  'GET /v1/config': z.record(text, z.unknown()),
  'POST /v1/ops/read_bytes': chunk,
  'POST /v1/chats/*/ops/read_bytes': chunk,
  'PUT /v1/video/history/*': video,
  'GET /v1/video/history': z.looseObject({ rows: z.array(video).max(200) }),
};

/**
 * Throws if the body of a success response does not match the document. Addresses that the document does not name are
 * additions.
 */
export function holdAnswer(method: string, path: string, status: number, body: unknown): void {
  if (status < 200 || status > 299 || status === 204) return;
  const asked = `${method} ${path.split('?', 1)[0]}`;
  const [address, schema] = Object.entries(ANSWERS).find(([pattern]) => fits(pattern, asked)) ?? [];
  hold(schema, body, asked);
  if (address === 'GET /v1/chats/*/items') holdHistory((body as { items: HistoryItem[] }).items, asked);
}

interface HistoryItem {
  id: string;
  kind: string;
  turn_id: string | null;
  note?: string;
  text?: string;
}

/**
 * Checks a page of history: ids are {message_id}:{n} and unique, and no item is of a kind that exists only in a live
 * stream.
 */
function holdHistory(items: HistoryItem[], asked: string): void {
  const ids = new Set<string>();
  for (const item of items) {
    holdItem(item, asked);
    const message = /^(.+):\d+$/.exec(item.id)?.[1];
    const wrong =
      message === undefined ||
      message === item.turn_id ||
      ids.has(item.id) ||
      ['client_op', 'plan'].includes(item.kind) ||
      (item.kind === 'machine_note' && item.text === FOLDED) ||
      (item.note === 'fork_marker') !== (item.kind === 'machine_note' && item.text?.startsWith('[forked]'));
    if (wrong) throw against(asked, item);
    ids.add(item.id);
  }
}

function fits(pattern: string, asked: string): boolean {
  const [wanted, given] = [pattern.split('/'), asked.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part === '*' || part === given[at]);
}
