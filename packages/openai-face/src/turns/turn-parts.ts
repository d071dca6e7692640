/**
 * Converts the events of a turn to parts of answers. The calls that the caller must answer end one answer, and the turn
 * waits; the work of the kernel's own tools is not included.
 */
import type { EventOf, StopReason, TurnError, TurnEvent, Usage } from '@chat-kernel/client';
import type { FinishReason, Part } from '../wire/completion.ts';

/** Events that are not read here, and therefore not sent. */
export const MUTED = ['item_started', 'item_delta', 'item_completed', 'tool_progress', 'plan'] as const;

/** Thrown if a turn failed. */
export class TurnFailure extends Error {
  readonly failure: TurnError;

  constructor(failure: TurnError) {
    super(failure.message);
    this.name = 'TurnFailure';
    this.failure = failure;
  }
}

export interface TurnPartsOptions {
  /** The names of the caller's tools. */
  tools: ReadonlySet<string>;
  /** The address of the kernel as the caller sees it. */
  publicUrl: string;
}

export class TurnParts {
  /** The text of the model that was yielded so far. */
  said = '';
  /** Whether the turn has produced any text or action, and so has left a trace. */
  acted = false;
  /** The calls that ended the last answer. */
  readonly asked = new Set<string>();
  readonly #events: AsyncIterator<TurnEvent>;
  readonly #options: TurnPartsOptions;
  /** Calls of the caller's tools that were announced, but not yet requested. */
  readonly #made = new Set<string>();
  readonly #usage: Usage = {
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cost_usd: null,
  };
  /** Whether calls separate the last text from the next. */
  #hasGap = false;
  #isTripOver = false;

  constructor(events: AsyncIterator<TurnEvent>, options: TurnPartsOptions) {
    this.#events = events;
    this.#options = options;
  }

  /** Yields the parts of one answer; the last is its end. @throws TurnFailure, or an error of the stream */
  async *[Symbol.asyncIterator](): AsyncGenerator<Part, void> {
    let failure: TurnError | undefined;
    for (;;) {
      const { done, value: event } = await this.#events.next();
      if (done) throw new TurnFailure(LOST);
      switch (event.type) {
        case 'text_delta':
          yield this.#content(event.text, event.refusal && 'refusal');
          break;
        case 'thinking_delta':
          this.acted = true;
          yield { part: 'reasoning', text: event.text };
          break;
        case 'image':
          yield this.#content(`![image](${this.#options.publicUrl}${event.url})`);
          break;
        case 'extra_tool_call':
          yield this.#call(event);
          break;
        case 'error':
          failure = event;
          break;
        case 'reset':
          throw new TurnFailure(LOST);
        case 'done':
          if (event.status === 'failed') throw new TurnFailure(failure ?? LOST);
          yield this.#end(FINISH[event.stop_reason] ?? 'stop');
          return;
        default:
          this.#note(event);
      }
      if (this.#isTripOver && this.#made.size === 0 && this.asked.size > 0) {
        yield this.#end('tool_calls');
        return;
      }
    }
  }

  #content(text: string, part: 'content' | 'refusal' = 'content'): Part {
    const gap = this.#hasGap && this.said !== '' ? '\n\n' : '';
    this.#hasGap = false;
    this.acted = true;
    this.said += text;
    return { part, text: gap + text };
  }

  #call({ id, name, input }: EventOf<'extra_tool_call'>): Part {
    this.#made.delete(id);
    this.asked.add(id);
    return { part: 'call', id, name, arguments: JSON.stringify(input) };
  }

  #note(event: TurnEvent): void {
    switch (event.type) {
      case 'tool_call':
        this.acted = true;
        this.#hasGap = true;
        this.#isTripOver = false;
        if (this.#options.tools.has(event.name)) this.#made.add(event.id);
        break;
      case 'tool_result':
        // Invalid input never reaches the caller.
        this.#made.delete(event.id);
        this.asked.delete(event.id);
        break;
      case 'request_resolved':
        this.asked.delete(event.id);
        break;
      case 'usage':
        this.#add(event);
        this.#isTripOver = true;
        break;
      case 'agent_usage':
        this.#add(event);
        break;
      default:
    }
  }

  #add(used: Usage): void {
    for (const count of COUNTS) this.#usage[count] += used[count];
  }

  #end(finish: FinishReason): Part {
    return { part: 'end', finish, usage: { ...this.#usage } };
  }
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'reasoning_tokens', 'cached_tokens'] as const;
/** The kernel's reason → OpenAI's; `stop` for all others. A turn whose caller still has to answer calls has not ended. */
const FINISH: Partial<Record<StopReason, FinishReason>> = {
  length: 'length',
  content_filter: 'content_filter',
};
const LOST: TurnError = {
  code: 'internal',
  message: 'The connection to the turn was lost.',
  retryable: true,
};
