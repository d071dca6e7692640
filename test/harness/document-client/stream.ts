/**
 * Reads the stream of a turn as a client does that knows only the API document. It skips additions, and throws if
 * something that the document names has another meaning.
 */
import { against, EVENTS, hold, holdItem } from './events.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { TurnSeen } from './turn-seen.ts';

/** How the client requested the stream. */
export interface Opened {
  method: string;
  /** With its query. */
  path: string;
  /** The turn request; undefined if there is none. */
  body: unknown;
  /**
   * Whether the client resumes a stream or requests an earlier turn again. In both cases it does not see the whole
   * turn.
   */
  resumes: boolean;
  /** Whether several kernels serve the chat: then the response names the one that did. */
  inFleet: boolean;
}
// biome-ignore lint/suspicious/noExplicitAny: any received event
type Came = Record<string, any>;

/** Headers with which a client resumes a stream or requests the same turn again (idempotency). */
const RESUMING = ['last-event-id', 'idempotency-key'];

/** @param headers of the request */
export const resumes = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some(name => RESUMING.includes(name.toLowerCase()));

const ITEM_EVENTS = ['item_started', 'item_delta', 'item_completed'];

export class DocumentReader {
  readonly #posted: boolean;
  readonly #follows: boolean;
  readonly #resumes: boolean;
  readonly #inFleet: boolean;
  readonly #muted: ReadonlySet<string>;
  readonly #request: Came;
  #turn: TurnSeen;
  #isLive = false;
  #isOver = false;
  /** Ids of `request_resolved`: each request has one, possibly after the end of its turn. */
  readonly #resolved = new Set<string>();

  constructor({ method, path, body, resumes, inFleet }: Opened) {
    const query = new URL(path, 'http://service').searchParams;
    this.#posted = method === 'POST';
    this.#request = typeof body === 'object' && body !== null ? body : {};
    this.#follows = query.get('follow') === 'true';
    this.#resumes = resumes;
    this.#inFleet = inFleet;
    const muted = this.#posted ? (this.#request.mute ?? []) : (query.get('mute')?.split(',') ?? []);
    this.#muted = new Set(muted);
    this.#turn = this.#newTurn();
  }

  /** @throws Error if the value contradicts the document */
  see(value: unknown): void {
    const event = value as Came;
    if (typeof event.type !== 'string') throw against('an event without a type', event);
    if (this.#muted.has(event.type)) throw against('a type that was muted', event);
    this.#seeReplay(event);
    const schema = EVENTS[event.type];
    // An addition: clients skip it.
    if (schema === undefined) return;
    hold(schema, event, event.type);
    if (event.type === 'request_resolved') this.#resolve(event);
    else this.#seeOfTurn(event);
  }

  #seeOfTurn(event: Came): void {
    if (this.#isOver) {
      if (!this.#follows) throw against('behind done', event);
      this.#isOver = false;
      this.#turn = this.#newTurn();
    }
    if (event.type === 'client_op') this.#refuseStray(event);
    if (event.type.startsWith('item_') && event.item !== undefined) holdItem(event.item, event.type);
    this.#turn.see(event);
    if (event.type === 'done') this.#isOver = true;
  }

  /** Handles the end of a stream that the service closed. @throws Error if a required event is missing */
  end(): void {
    if (!this.#isOver || this.#follows) return;
    if (this.#resumes || this.#muted.has('request_resolved')) return;
    this.#turn.refuseOpenRequests(this.#resolved);
  }

  /** A replay comes first and marks each of its events; after the first unmarked event no other is part of a replay. */
  #seeReplay(event: Came): void {
    if (!('replayed' in event)) {
      this.#isLive = true;
      return;
    }
    if (event.replayed !== true) throw against('replayed is true or absent', event);
    if (this.#inFleet && 'replayOnTakeover' in EXCEPTIONS) {
      const isAgain = event.type === 'item_started' && this.#turn.knows(event.item?.id);
      if (this.#isLive || isAgain) this.#turn = this.#newTurn({ isWhole: false });
      this.#isLive = false;
      return;
    }
    if (this.#posted && !this.#resumes) throw against('replayed, on the stream of the turn itself', event);
    if (this.#isLive && !this.#follows) throw against('replayed, behind the live tail', event);
  }

  #resolve(event: Came): void {
    const request = event.question === undefined ? event.id : `${event.id}#${event.question}`;
    if (this.#resolved.has(request)) throw against('a request that was resolved before', event);
    this.#resolved.add(request);
    this.#turn.seeResolved(event);
  }

  /**
   * The client of a turn executes the operations in its stream, so the stream must not contain any that it cannot
   * execute.
   */
  #refuseStray(event: Came): void {
    if (!this.#posted || this.#resumes) return;
    if (this.#request.client_ops !== true) throw against('an operation for a client without hands', event);
    if (event.action === 'list_up' && this.#request.project_docs !== true) {
      throw against('list_up for a client that did not say project_docs', event);
    }
  }

  #newTurn({ isWhole = !this.#resumes } = {}): TurnSeen {
    return new TurnSeen({
      isWhole,
      hasItems: !ITEM_EVENTS.some(type => this.#muted.has(type)),
      hasCalls: !this.#muted.has('tool_call'),
    });
  }
}
