/**
 * The events of a turn as parts of answers. The calls that its caller has to answer end one answer, and the turn waits; what
 * the kernel's own tools do is no part of any.
 */
import type { EventOf, TurnError, TurnEvent, Usage } from '@chat-kernel/client';
import type { FinishReason, Part } from '../wire/completion.ts';

/** What is not read here, and so not sent. */
export const MUTED = ['item_started', 'item_delta', 'item_completed', 'tool_progress', 'plan'] as const;

/** A turn failed. */
export class TurnFailure extends Error {
  readonly failure: TurnError;

  constructor(failure: TurnError) {
    super(failure.message);
    this.name = 'TurnFailure';
    this.failure = failure;
  }
}

export interface TurnPartsOptions {
  /** The names of the tools that the caller brought. */
  tools: ReadonlySet<string>;
  /** The address of the kernel as the caller sees it. */
  publicUrl: string;
}

export class TurnParts {
  /** The words of the model that were given so far. */
  said = '';
  /** Whether it has said or done anything, so that the turn has left a trace. */
  acted = false;
  /** The calls that the last answer ended with. */
  readonly asked = new Set<string>();
  readonly #events: AsyncIterator<TurnEvent>;
  readonly #options: TurnPartsOptions;
  /** Calls of the caller's tools that were made and are not asked yet. */
  readonly #made = new Set<string>();
  readonly #usage: Usage = {
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cost_usd: null,
  };
  /** Calls stand between what was said and what is said next. */
  #hasGap = false;
  #isTripOver = false;

  constructor(events: AsyncIterator<TurnEvent>, options: TurnPartsOptions) {
    this.#events = events;
    this.#options = options;
  }

  /** Gives the parts of one answer; the last is its end. @throws TurnFailure, or what reading throws */
  async *[Symbol.asyncIterator](): AsyncGenerator<Part, void> {
    let failure: TurnError | undefined;
    for (;;) {
      const { done, value: event } = await this.#events.next();
      if (done) throw new TurnFailure(LOST);
      switch (event.type) {
        case 'text_delta':
          yield this.#content(event.text);
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

  #content(text: string): Part {
    const gap = this.#hasGap && this.said !== '' ? '\n\n' : '';
    this.#hasGap = false;
    this.acted = true;
    this.said += text;
    return { part: 'content', text: gap + text };
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
        // Input that does not fit never reaches the caller.
        this.#made.delete(event.id);
        this.asked.delete(event.id);
        break;
      case 'request_resolved':
        this.asked.delete(event.id);
        break;
      case 'usage':
        this.#add(event);
        if (event.agent === undefined) this.#isTripOver = true;
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
/** The kernel's reasons that have another name here, or mean something other than a stop. */
const FINISH: Readonly<Record<string, FinishReason>> = { length: 'length', content_filter: 'content_filter' };
const LOST: TurnError = {
  code: 'internal',
  message: 'The stream of the turn was lost.',
  retryable: true,
};
