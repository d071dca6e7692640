/**
 * The events of a turn as chunks of the AI SDK. Items tell all but requests, usage and the end, so the original events of
 * the same steps are muted; event types and item kinds that are newer than this client are skipped.
 */
import type { EventOf, EventType, Item, Schema, TurnEvent } from '../api/types.ts';
import { callChunk, pauseChunk, planChunk, progressChunk, usageChunks, wholeChunks } from './chunks.ts';
import type { KernelChunk } from './message.ts';
import { RequestParts } from './requests.ts';

/** The events that are not sent: items tell the same. `tool_call` alone has the questions of the kernel. */
export const MUTED: EventType[] = [
  'text_delta',
  'thinking_delta',
  'tool_progress',
  'tool_result',
  'image',
  'plan',
];

type FinishReason = Extract<KernelChunk, { type: 'finish' }>['finishReason'];
/** The kernel's word → that of the AI SDK. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  ends_turn: 'stop',
  tools: 'tool-calls',
  length: 'length',
  content_filter: 'content-filter',
};

/** The end of a turn, as its event or the kernel's record of it tells it. */
type Ending = Pick<EventOf<'done'>, 'status' | 'usage'> & { stop_reason?: string };

export class ChunkWriter {
  /** True once the turn is over: no chunk comes after that. */
  ended = false;
  readonly #url: string;
  readonly #requests: RequestParts;
  #turnId: string | null = null;
  /** Texts that began and have not ended: item → what it is, and how many characters of it were written. */
  readonly #texts = new Map<string, { kind: 'text' | 'reasoning'; written: number }>();
  /** Item → the id of its call. */
  readonly #calls = new Map<string, string>();
  #error = 'The turn failed.';

  /** @param url of the kernel, for the addresses of images */
  constructor(chatId: string, url: string) {
    this.#url = url;
    this.#requests = new RequestParts(chatId);
  }

  /** Begins the message of a turn: its id is the turn's, as in history. */
  *begin(turnId: string | null): Generator<KernelChunk, void> {
    if (turnId === null || turnId === this.#turnId) return;
    this.#turnId = turnId;
    yield { type: 'start', messageId: turnId, messageMetadata: { turn_id: turnId } };
  }

  *write(event: TurnEvent): Generator<KernelChunk, void> {
    switch (event.type) {
      case 'item_started':
        return yield* this.#started(event.item);
      case 'item_delta':
        return yield* this.#grown(event.item_id, event.delta);
      case 'item_completed':
        return yield* this.completed(event.item);
      case 'client_op':
      case 'extra_tool_call':
      case 'tool_call':
        return yield* this.#requests.asked(event);
      case 'request_resolved':
        return yield* this.#requests.resolved(event);
      case 'usage':
        return yield* usageChunks(event);
      case 'queued':
        return yield pauseChunk({ status: 'queued', position: event.position });
      case 'sleeping':
        return yield pauseChunk({ status: 'sleeping', until: event.until });
      case 'compacting':
        return yield pauseChunk({ status: 'compacting' });
      case 'error':
        return this.fail(event.message);
      case 'done':
        return yield* this.end(event);
      case 'reset':
        return yield* this.#reset();
    }
  }

  /** An item as it is stored: what was not written of it is written now. */
  *completed(item: Item): Generator<KernelChunk, void> {
    yield* this.#started(item);
    const text = this.#texts.get(item.id);
    if (text === undefined || !('text' in item)) return yield* wholeChunks(item, this.#url);
    yield* this.#text(item.id, item.text.slice(text.written));
    this.#texts.delete(item.id);
    yield { type: `${text.kind}-end`, id: item.id };
  }

  /** Notes why the turn fails; its end tells it. */
  fail(message: string): void {
    this.#error = message;
  }

  *end({ status, stop_reason = 'other', usage }: Ending): Generator<KernelChunk, void> {
    if (this.ended) return;
    this.ended = true;
    for (const [id, { kind }] of this.#texts) yield { type: `${kind}-end`, id };
    yield* this.#requests.ended();
    const messageMetadata = { status, usage };
    if (status === 'completed') {
      yield { type: 'finish', finishReason: FINISH_REASONS[stop_reason] ?? 'other', messageMetadata };
      return;
    }
    yield { type: 'message-metadata', messageMetadata };
    // Last: whoever reads an error reads no further.
    yield status === 'cancelled'
      ? { type: 'abort', reason: 'The turn was cancelled.' }
      : { type: 'error', errorText: this.#error };
  }

  *#started(item: Item): Generator<KernelChunk, void> {
    yield* this.begin(item.turn_id);
    switch (item.kind) {
      case 'agent_message':
      case 'thinking': {
        if (this.#texts.has(item.id)) return;
        const kind = item.kind === 'thinking' ? 'reasoning' : 'text';
        this.#texts.set(item.id, { kind, written: 0 });
        yield { type: `${kind}-start`, id: item.id };
        return yield* this.#text(item.id, item.text);
      }
      case 'tool_call':
        if (this.#calls.has(item.id)) return;
        this.#calls.set(item.id, item.call_id);
        return yield callChunk(item);
      case 'plan':
      case 'compaction':
        return yield* wholeChunks(item, this.#url);
    }
  }

  *#grown(id: string, delta: Schema<'Delta'>): Generator<KernelChunk, void> {
    const call = this.#calls.get(id);
    if (delta.type === 'text') yield* this.#text(id, delta.text);
    else if (delta.type === 'plan') yield planChunk(delta.tasks);
    else if (delta.type === 'progress' && call !== undefined) yield progressChunk(call, delta.output);
  }

  *#text(id: string, delta: string): Generator<KernelChunk, void> {
    const text = this.#texts.get(id);
    if (text === undefined || delta === '') return;
    text.written += delta.length;
    yield { type: `${text.kind}-delta`, id, delta };
  }

  /** What was told of the turn is void. Without steps, all parts of the message are one. */
  *#reset(): Generator<KernelChunk, void> {
    this.#texts.clear();
    this.#calls.clear();
    this.#requests.ended();
    yield { type: 'reset-step' };
  }
}
