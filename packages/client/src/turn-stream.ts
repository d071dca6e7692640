/**
 * The events of one turn, from its message to its end, over as many connections as that takes.
 *
 * A connection that breaks is followed by GET /live with the id of the newest event, which costs only what was missed.
 * Where that leads nowhere (another turn runs, the kernel was restarted, the turn ended long ago) the message is posted
 * again under its idempotency key: that attaches to the same turn, never starts a second one, and tells it from the
 * beginning. `reset` says so.
 */
import type { Event, EventOf, TurnEnd, TurnError, Usage } from '@chat-kernel/protocol';
import { isPassing } from './errors.ts';
import { Line } from './line.ts';
import { Patience } from './patience.ts';

/** The turn is told again from its beginning, marked `replayed`: forget what was drawn of it. */
export interface ResetEvent {
  type: 'reset';
}
/** Events of types that are newer than this client come as they are. */
export type TurnEvent = Event | ResetEvent;

export interface StartedTurn {
  turn_id: string;
  /** The stored message. */
  message_id: string;
}

export interface TurnResult {
  turn_id: string;
  status: TurnEnd;
  stop_reason: string;
  /** All that the model said, its steps one after the other. */
  text: string;
  message_ids: string[];
  usage: Usage;
  error?: TurnError;
}

/** The two ways to a stream of the turn. Each answers with status 200 or 204, or throws. */
export interface TurnConnections {
  /** POST /messages, always with the same key. */
  start(signal: AbortSignal): Promise<Response>;
  /** GET /live. */
  resume(lastEventId: string, signal: AbortSignal): Promise<Response>;
}

export interface TurnPatience {
  /** Ends the stream, and not the turn: that goes on. */
  signal?: AbortSignal | undefined;
  /** How long to try to reach the kernel again; default 300 s. */
  patienceMs?: number | undefined;
}

/** Ids of one log go up by one, and some are left out; a larger step means another log. */
const SAME_LOG = 1000;

export class TurnStream implements AsyncIterable<TurnEvent> {
  /** Settles when the message is stored. Rejects where it is refused, or the kernel cannot be reached. */
  readonly started: Promise<StartedTurn>;
  readonly #connections: TurnConnections;
  readonly #patience: Patience;
  readonly #leaving = new AbortController();
  readonly #signal: AbortSignal;
  readonly #first: Promise<Line>;
  #lastId: string | undefined;
  #read = false;

  constructor(connections: TurnConnections, { signal, patienceMs = 300_000 }: TurnPatience = {}) {
    this.#connections = connections;
    this.#patience = new Patience({ total: patienceMs, first: 1000, longest: 30_000 });
    this.#signal = signal ? AbortSignal.any([signal, this.#leaving.signal]) : this.#leaving.signal;
    this.#first = this.#insist(() => this.#start());
    this.started = this.#first.then(({ headers }) => ({
      turn_id: headers.get('x-turn-id') ?? '',
      message_id: headers.get('x-message-id') ?? '',
    }));
    // Whoever only reads the events hears of a failure there.
    this.started.catch(() => {});
  }

  /** Once: the events are not kept. Leaving the loop hangs up; the turn goes on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void> {
    if (this.#read) throw new Error('The events of a turn can be read once.');
    this.#read = true;
    let line: Line | undefined;
    try {
      line = await this.#first;
      for (let done = false; ; ) {
        const { message, broke } = await this.#nextOf(line);
        if (message === undefined) {
          // After `done` nothing is missed but the ends of requests, which ended with the turn.
          if (done) return;
          const next = await this.#again(broke);
          line = next.line;
          if (next.retold) yield { type: 'reset' };
          continue;
        }
        const event = JSON.parse(message.data) as Event;
        this.#lastId = message.id;
        done ||= event.type === 'done';
        yield event;
      }
    } finally {
      this.#leaving.abort();
      await line?.hangUp();
    }
  }

  /** Reads to the end. Resolves for every end of the turn, also a failed one. */
  async result(): Promise<TurnResult> {
    let text = '';
    let error: TurnError | undefined;
    let done: EventOf<'done'> | undefined;
    for await (const event of this) {
      if (event.type === 'reset') text = '';
      else if (event.type === 'text_delta') text += event.text;
      else if (event.type === 'error') {
        error = { code: event.code, message: event.message, retryable: event.retryable };
      } else if (event.type === 'done') done = event;
    }
    // The loop ends with nothing but a done.
    const { turn_id, status, stop_reason, message_ids, usage } = done!;
    return { turn_id, status, stop_reason, text, message_ids, usage, ...(error && { error }) };
  }

  async #nextOf(line: Line) {
    try {
      const message = await line.next();
      if (message !== undefined) this.#patience.renew();
      if (line.retry !== undefined) this.#patience.first = line.retry;
      return { message };
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      if (!isPassing(error)) throw error;
      return { broke: error };
    }
  }

  /** A new line for one that broke. */
  async #again(broke: unknown): Promise<NextLine> {
    await this.#patience.wait(broke, this.#signal);
    return this.#insist(async () => (await this.#goOn()) ?? (await this.#retell()));
  }

  /** The line that continues where the last one broke; undefined where there is none. */
  async #goOn(): Promise<NextLine | undefined> {
    const last = placeOf(this.#lastId);
    if (last === undefined) return undefined;
    const response = await this.#connections.resume(this.#lastId as string, this.#signal);
    if (response.status === 204) return undefined;
    const line = new Line(response);
    const next = placeOf((await line.peek())?.id);
    const step = next?.log === last.log ? next.n - last.n : 0;
    if (step > 0 && step <= SAME_LOG) return { line, retold: false };
    await line.hangUp();
    return undefined;
  }

  async #retell(): Promise<NextLine> {
    return { line: await this.#start(), retold: this.#lastId !== undefined };
  }

  async #start(): Promise<Line> {
    return new Line(await this.#connections.start(this.#signal));
  }

  async #insist<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!isPassing(error)) throw error;
        await this.#patience.wait(error, this.#signal);
      }
    }
  }
}

interface NextLine {
  line: Line;
  /** It begins with what was told before. */
  retold: boolean;
}

/** Ids are `{log}.{n}`. One of any other form is no place to go on from. */
function placeOf(id: string | undefined): { log: string; n: number } | undefined {
  const [, log, n] = /^(.+)\.(\d{1,15})$/.exec(id ?? '') ?? [];
  return log === undefined ? undefined : { log, n: Number(n) };
}
