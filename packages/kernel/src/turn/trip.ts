/** One trip to the provider: its events become the draft, and the draft tells the feed. */
import { imageMarker, type JsonObject } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { wellFormed } from '../history/well-formed.ts';
import {
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  type ToolOutput,
  type TripUsage,
  timestamp,
} from '../ports/index.ts';
import { estimateTokens, priced } from './books.ts';
import { messageChars, prefixChars, requestFor } from './prompt.ts';
import { beginContext } from './requester.ts';
import type { Kit, RunningTurn, Workshop } from './running.ts';

/** Text of a running step is checkpointed this often. */
const CHECKPOINT_MS = 2000;

export interface Call {
  id: string;
  name: string;
  input: JsonObject;
  /** What the model sent instead of a JSON object. */
  invalid?: string;
  /** Of a call that began when it was told. */
  output?: Promise<ToolOutput>;
}

export interface Reply {
  calls: Call[];
  finish: Extract<ModelEvent, { type: 'finish' }>['reason'];
}

/** Answers what the model wants next. @throws ModelError */
export async function trip(turn: RunningTurn, kit: Kit, workshop: Workshop): Promise<Reply> {
  const { messages, callIds } = await workshop.histories.load(turn.record.chat_id);
  turn.signal.throwIfAborted();
  const request = requestFor(turn, kit.tools, messages, workshop);
  const reply: Reply = { calls: [], finish: 'other' };
  let used: TripUsage | null = null;
  let received = 0;
  const stopCheckpoints = checkpointsOf(turn, workshop);
  turn.endTrip = () => {
    turn.endTrip = () => {};
    stopCheckpoints();
    // A trip that was cut has no bill, but it will be on one.
    if (used === null && (received > 0 || turn.signal.aborted)) used = estimated(request, received);
    if (used !== null) book(turn, kit.model, request, used);
  };
  try {
    for await (const event of kit.model.stream(request, turn.signal)) {
      if (turn.signal.aborted) break;
      received += charsOf(event);
      if (event.type === 'finish') {
        reply.finish = event.reason;
        used = event.usage;
      } else {
        await take(event, turn, kit, callIds, workshop, reply);
      }
    }
  } finally {
    turn.endTrip();
  }
  return reply;
}

/** What an event weighs where nobody counts tokens. */
function charsOf(event: ModelEvent): number {
  if ('text' in event) return event.text.length;
  return event.type === 'call' ? JSON.stringify(event.input).length : 1;
}

/** Not async for the sake of the token path: only an image has to be waited for. */
function take(
  event: Exclude<ModelEvent, { type: 'finish' }>,
  turn: RunningTurn,
  kit: Kit,
  callIds: Set<string>,
  workshop: Workshop,
  reply: Reply,
): Promise<void> | undefined {
  const { draft } = turn;
  switch (event.type) {
    case 'text':
    case 'thinking':
      draft.write(event.type, event.text);
      return undefined;
    case 'end':
      draft.endBlock(event.block, event.origin);
      return undefined;
    case 'call': {
      const id = freshCallId(event.id, callIds);
      // The model reads its own words again, so what was no JSON is kept where it can see it.
      const given = wellFormed(event.invalid === undefined ? event.input : { not_json: event.invalid });
      const { name, invalid } = event;
      const tool = invalid === undefined ? kit.tools.get(name) : undefined;
      const begun = tool?.begin?.(given, beginContext(turn, id, workshop));
      const input = begun?.input ?? given;
      draft.call(id, name, input, event.origin);
      reply.calls.push({
        id,
        name,
        input,
        ...(invalid !== undefined && { invalid }),
        ...(begun && { output: begun.output }),
      });
      return undefined;
    }
    case 'image':
      return storeImage(event, turn, workshop);
    default:
      return event satisfies never;
  }
}

/** Some servers count calls from 0 in each answer, or name none; items are stitched by an id that is unique in its chat. */
function freshCallId(given: string, known: Set<string>): string {
  const id = given || 'call';
  let fresh = id;
  for (let n = 2; known.has(fresh); n++) fresh = `${id}_${n}`;
  known.add(fresh);
  return fresh;
}

async function storeImage(
  image: Extract<ModelEvent, { type: 'image' }>,
  turn: RunningTurn,
  { store, clock }: Workshop,
): Promise<void> {
  const id = uuidv4();
  const url = `/images/${id}`;
  const { media_type, bytes } = image;
  await store.saveImage(
    { id, chat_id: turn.record.chat_id, media_type, created_at: timestamp(clock) },
    bytes,
  );
  const drawn = { image_id: id, media_type, url };
  turn.draft.image({ type: 'text', text: imageMarker(id, url), internal: { drawn } });
}

function checkpointsOf(turn: RunningTurn, { clock, log }: Workshop): () => void {
  let stopped = false;
  let takeBack = () => {};
  const wait = () => {
    takeBack = clock.after(CHECKPOINT_MS, async () => {
      if (turn.draft.takeChanged()) {
        await turn
          .checkpoint()
          .catch(error => log.error({ err: error, turn_id: turn.record.id }, 'a checkpoint failed'));
      }
      if (!stopped) wait();
    });
  };
  wait();
  return () => {
    stopped = true;
    takeBack();
  };
}

function book(turn: RunningTurn, model: LanguageModel, request: ModelRequest, used: TripUsage): void {
  const usage = priced(used, model.record.price);
  turn.spend(usage);
  turn.prefix_tokens = Math.min(estimateTokens(prefixChars(request)), used.prompt_tokens);
  turn.feed.usage(model.record.id, usage);
}

const estimated = (request: ModelRequest, received: number): TripUsage => ({
  prompt_tokens: estimateTokens(prefixChars(request) + messageChars(request)),
  completion_tokens: estimateTokens(received),
  reasoning_tokens: 0,
  cached_tokens: 0,
});
