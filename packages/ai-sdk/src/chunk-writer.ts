/**
 * Converts the events of a turn to chunks of the AI SDK. Items cover everything except requests, usage and the end, so
 * the original events of the same steps are muted. Unknown event types and item kinds of newer kernels are skipped.
 */
import type { Delta, EventOf, EventType, Item, StopReason, TurnEvent } from '@chat-kernel/client';
import { callChunk, pauseChunk, planChunk, progressChunk, usageChunk, wholeChunks } from './chunks.ts';
import type { KernelChunk } from './message.ts';
import { RequestParts } from './requests.ts';

/** Muted events: items contain the same. `tool_call` is needed for the kernel's questions. */
export const MUTED: EventType[] = [
  'text_delta',
  'thinking_delta',
  'tool_progress',
  'tool_result',
  'image',
  'plan',
];

type FinishReason = Extract<KernelChunk, { type: 'finish' }>['finishReason'];
/** Maps the kernel's stop reason to that of the AI SDK. */
const FINISH_REASONS: Readonly<Record<StopReason, FinishReason>> = {
  stop: 'stop',
  ends_turn: 'stop',
  tools: 'tool-calls',
  length: 'length',
  content_filter: 'content-filter',
  other: 'other',
  cancelled: 'other',
  error: 'error',
  kernel_restarted: 'error',
};

/** The end of a turn, from its event or from the kernel's record. */
type Ending = Pick<EventOf<'done'>, 'status' | 'usage'> & { stop_reason?: StopReason };

export class ChunkWriter {
  /** True once the turn has ended: no chunk follows. */
  ended = false;
  readonly #url: string;
  readonly #requests: RequestParts;
  #turnId: string | null = null;
  /** Texts that are still open: item → its kind, and how many of its characters were written. */
  readonly #texts = new Map<string, { kind: 'text' | 'reasoning'; written: number }>();
  /** Item → the id of its call. */
  readonly #calls = new Map<string, string>();
  #error = 'The turn failed.';

  /** @param url address of the kernel, for the URLs of images */
  constructor(chatId: string, url: string) {
    this.#url = url;
    this.#requests = new RequestParts(chatId);
  }

  /** Begins the message of a turn. Its id is the turn's, as in the history. */
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
      case 'consent_request':
      case 'extra_tool_call':
      case 'tool_call':
      case 'request_resolved':
        return yield* this.#requests.changed(event);
      case 'usage':
        return yield usageChunk(event);
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

  /** Handles a stored item: writes the rest of it that was not written yet. */
  *completed(item: Item): Generator<KernelChunk, void> {
    yield* this.#started(item);
    const text = this.#texts.get(item.id);
    if (text === undefined || !('text' in item)) return yield* wholeChunks(item, this.#url);
    yield* this.#text(item.id, item.text.slice(text.written));
    this.#texts.delete(item.id);
    yield { type: `${text.kind}-end`, id: item.id };
  }

  /** Records why the turn fails; the chunk at its end contains it. */
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
    // Comes last: readers stop at an error.
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

  *#grown(id: string, delta: Delta): Generator<KernelChunk, void> {
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

  /** Discards what was sent of the turn. Without steps, all parts of the message count as one. */
  *#reset(): Generator<KernelChunk, void> {
    this.#texts.clear();
    this.#calls.clear();
    this.#requests.ended();
    yield { type: 'reset-step' };
  }
}
