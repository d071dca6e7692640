/** Creates a chat completion: the response to one request, streamed or complete. */
import type { FaceAnswer } from '@chat-kernel/http';
import { ClientDisconnected, withHeartbeat } from '../turns/heartbeat.ts';
import { buildCompletion, Chunks, DONE, frame, HEARTBEAT, type Head, type Part } from '../wire/completion.ts';
import { OpenAiError } from '../wire/openai-error.ts';
import { toRefusalError } from '../wire/problems.ts';
import { type Asked, begin } from './begin.ts';
import type { Caller } from './caller.ts';
import type { CallersTurn } from './callers-turn.ts';

/** Interval of heartbeats in a stream that is silent because a tool runs, or a request waits for the user. */
const HEARTBEAT_MS = 15_000;

type Pieces = AsyncGenerator<Part | undefined, void>;

/**
 * @param signal aborted when the client disconnects
 * @throws OpenAiError, while nothing of the answer was sent; ClientDisconnected
 */
export async function complete(caller: Caller, asked: Asked, signal: AbortSignal): Promise<FaceAnswer> {
  const turn = await begin(caller, asked);
  const { request } = asked;
  const pieces = withHeartbeat(turn.parts[Symbol.asyncIterator](), HEARTBEAT_MS, signal);
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
    if (!request.stream) return { status: 200, headers, body: await whole(turn, pieces, head) };
    // Until then, a status can still be sent: clients decide by it whether to retry.
    const first = await pieces.next();
    const chunks = new Chunks(head, request.stream_options?.include_usage === true);
    const body = frames({ caller, turn, pieces, chunks }, first.value ?? undefined);
    return { status: 200, headers: { ...headers, 'content-type': 'text/event-stream' }, body };
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
  return buildCompletion(head, parts);
}

interface Streamed {
  caller: Caller;
  turn: CallersTurn;
  pieces: Pieces;
  chunks: Chunks;
}

/** @param first undefined if the turn was silent at first */
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
    const failure = await turn.broken(error);
    if (failure instanceof ClientDisconnected) return;
    if (!(failure instanceof OpenAiError)) caller.onFailure(failure);
    yield frame((failure instanceof OpenAiError ? failure : INTERNAL).body);
  } finally {
    // The consumer of the frames may stop between two of them.
    await turn.hungUp();
  }
  yield DONE;
}

const INTERNAL = toRefusalError({
  status: 500,
  code: 'internal',
  detail: 'Internal error. See the log of the kernel.',
});
