/** A chat completion: a response to one request, in a stream or whole. */
import { beats, HungUp } from '../turns/beats.ts';
import { Chunks, completionOf, DONE, frame, HEARTBEAT, type Head, type Part } from '../wire/completion.ts';
import { OpenAiError } from '../wire/openai-error.ts';
import { refusalOf } from '../wire/problems.ts';
import { type Asked, begin } from './begin.ts';
import type { Caller } from './caller.ts';
import type { CallersTurn } from './callers-turn.ts';

interface Completion {
  headers: Record<string, string>;
  body: object | AsyncIterable<string>;
}

/** Silence after which a stream says that it is still there: a tool works, or somebody has to be asked. */
const HEARTBEAT_MS = 15_000;

type Pieces = AsyncGenerator<Part | undefined, void>;

/**
 * @param signal aborted when the caller hangs up
 * @throws OpenAiError, as long as nothing of the answer was told; HungUp
 */
export async function complete(caller: Caller, asked: Asked, signal: AbortSignal): Promise<Completion> {
  const turn = await begin(caller, asked);
  const { request } = asked;
  const pieces = beats(turn.parts[Symbol.asyncIterator](), HEARTBEAT_MS, signal);
  const head = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
  const { place, turn_id } = turn.facts;
  const headers = {
    'x-chat-id': place.chat_id,
    'x-turn-id': turn_id,
    ...(request.ignored !== undefined && { 'x-ignored-fields': request.ignored }),
  };
  try {
    if (!request.stream) return { headers, body: await whole(turn, pieces, head) };
    // A status can be told until then: clients try again by it.
    const first = await pieces.next();
    const chunks = new Chunks(head, request.stream_options?.include_usage === true);
    const body = frames({ caller, turn, pieces, chunks }, first.value ?? undefined);
    return { headers: { ...headers, 'content-type': 'text/event-stream' }, body };
  } catch (error) {
    throw await turn.broken(error);
  }
}

async function whole(turn: CallersTurn, pieces: Pieces, head: Head): Promise<object> {
  const parts: Part[] = [];
  for await (const part of pieces) {
    if (part !== undefined) parts.push(part);
    if (part?.part === 'end') turn.ended(part);
  }
  return completionOf(head, parts);
}

interface Streamed {
  caller: Caller;
  turn: CallersTurn;
  pieces: Pieces;
  chunks: Chunks;
}

/** @param first undefined: nothing was said for a while */
async function* frames(
  { caller, turn, pieces, chunks }: Streamed,
  first: Part | undefined,
): AsyncGenerator<string, void> {
  let hasBegun = false;
  const framesOf = (part: Part | undefined): string => {
    if (part === undefined) return HEARTBEAT;
    if (part.part === 'end') turn.ended(part);
    const begin = hasBegun ? '' : chunks.begin();
    hasBegun = true;
    return begin + chunks.of(part);
  };
  try {
    yield framesOf(first);
    for await (const part of pieces) yield framesOf(part);
  } catch (error) {
    const told = await turn.broken(error);
    if (told instanceof HungUp) return;
    if (!(told instanceof OpenAiError)) caller.onFailure(told);
    yield frame((told instanceof OpenAiError ? told : INTERNAL).body);
  } finally {
    // Whoever reads the frames may leave between two of them.
    await turn.hungUp();
  }
  yield DONE;
}

const INTERNAL = refusalOf({
  status: 500,
  code: 'internal',
  detail: 'The kernel made a mistake; its log says more.',
});
