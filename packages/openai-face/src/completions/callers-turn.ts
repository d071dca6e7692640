/** Runs a turn for a caller, from its start or from the answers to its calls, to the end of one response. */
import type { TurnError, TurnEvent } from '@chat-kernel/client';
import { KernelApiError } from '@chat-kernel/client';
import { type Entry, toEntries } from '../conversation/entries.ts';
import { ClientDisconnected } from '../turns/heartbeat.ts';
import { TurnFailure, TurnParts, type TurnPartsOptions } from '../turns/turn-parts.ts';
import type { Part } from '../wire/completion.ts';
import { toOpenAiError, toRefusalError, toTurnFailure } from '../wire/problems.ts';
import type { Caller, Place } from './caller.ts';

interface TurnFacts {
  /** If `told` is undefined, the state of the chat is unknown, and nothing is remembered. */
  place: Pick<Place, 'chat_id' | 'how'> & { told: Place['told'] | undefined };
  turn_id: string;
  /** The message that started the turn; undefined if answers to its calls continue it. */
  message_id: string | undefined;
  /** The conversation, including the new messages of the request. */
  entries: readonly Entry[];
  /** The key with which the caller may repeat the request. */
  key: string | undefined;
}

/** The events of a turn as they arrive. */
export interface TurnLine {
  events: AsyncIterator<TurnEvent>;
  /** Disconnects; the turn continues. */
  leave(): void;
}

export class CallersTurn {
  readonly parts: TurnParts;
  readonly facts: TurnFacts;
  readonly #caller: Caller;
  readonly #line: TurnLine;
  #isOver = false;

  constructor(caller: Caller, facts: TurnFacts, line: TurnLine, options: TurnPartsOptions) {
    this.#caller = caller;
    this.facts = facts;
    this.#line = line;
    this.parts = new TurnParts(line.events, options);
  }

  /**
   * Records that the response is complete. Called before its last piece is sent, because the caller may then send its
   * next request.
   */
  ended({ finish }: Extract<Part, { part: 'end' }>): void {
    this.#isOver = true;
    const { place, entries } = this.facts;
    if (place.told !== undefined && place.how !== 'named') {
      const said = toEntries([...entries, { role: 'assistant', text: this.parts.said }]);
      this.#caller.known.remember(place.chat_id, said, place.told);
    }
    if (finish === 'tool_calls') void this.#watchCalls();
    else this.#line.leave();
  }

  /** Returns the error for the caller if the response breaks off. */
  async broken(error: unknown): Promise<unknown> {
    if (error instanceof ClientDisconnected) {
      await this.hungUp();
      return error;
    }
    this.#isOver = true;
    this.#line.leave();
    if (this.#caller.closing.aborted) return toRefusalError(SHUTTING_DOWN);
    if (!(error instanceof TurnFailure)) return toOpenAiError(error);
    const failure = await this.#recorded(error.failure);
    if (!this.parts.acted) await this.#undone();
    return toTurnFailure(failure, !this.parts.acted);
  }

  /** Adds the provider's response to the failure; only the record of the turn contains it. */
  async #recorded(failure: TurnError): Promise<TurnError> {
    const { place, turn_id } = this.facts;
    try {
      return (await this.#caller.kernel.getTurn(place.chat_id, turn_id)).error ?? failure;
    } catch {
      // Without the record, the failure itself is still known.
      return failure;
    }
  }

  /**
   * Handles a disconnected caller: stops the turn, because clients of this API stop a model this way. A caller that has
   * sent a key may repeat the request to get the response. Does nothing once the response is over.
   */
  async hungUp(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#line.leave();
    if (this.facts.key !== undefined) return;
    this.#stop();
    // A new request finds the chat only once its turn is stopped.
    if (this.parts.acted) await this.#cleanUp(this.#caller.stops.settled(this.facts.place.chat_id));
    else await this.#undone();
  }

  #stop(): void {
    const { place, turn_id, message_id } = this.facts;
    const turn = { turn_id, ...(message_id !== undefined && { message_id }) };
    this.#caller.stops.stop(place.chat_id, Promise.resolve(turn));
  }

  /**
   * Undoes a request whose response has sent nothing and that has changed nothing else, so that the next attempt starts
   * from the same state. A chat that the caller names stays unchanged.
   */
  async #undone(): Promise<void> {
    await this.#cleanUp(
      this.#undo().catch(error => {
        if (!(error instanceof KernelApiError)) this.#caller.onFailure(error);
      }),
    );
  }

  /** Makes the next request wait for this. @param work never rejects */
  async #cleanUp(work: Promise<void>): Promise<void> {
    this.#caller.undoing.add(work);
    await work;
    this.#caller.undoing.delete(work);
  }

  async #undo(): Promise<void> {
    const { kernel, stops, known, places } = this.#caller;
    const { place, turn_id, message_id, key, entries } = this.facts;
    const { chat_id, how, told } = place;
    await stops.settled(chat_id);
    if (key !== undefined) places.delete(key);
    if (how === 'made') await kernel.deleteChat(chat_id, { force: true });
    if (how !== 'found' || message_id === undefined) return;
    const { messages } = await kernel.listMessages(chat_id, { limit: 1 });
    // A rewind would also remove later messages of other clients.
    if (messages[0]?.turn_id === turn_id) await kernel.rewind(chat_id, message_id);
    const isAnswer = ({ role }: Entry) => role === 'assistant';
    if (told) known.remember(chat_id, entries.slice(0, entries.findLastIndex(isAnswer) + 1), told);
  }

  /** Stops the turn if its calls are not answered in time, because no client reads it. */
  async #watchCalls(): Promise<void> {
    const { asked } = this.parts;
    try {
      while (asked.size > 0) {
        const { done, value } = await this.#line.events.next();
        if (done || value.type === 'done') return;
        if (value.type !== 'request_resolved' || !asked.delete(value.id)) continue;
        if (value.reason === 'expired') {
          this.#stop();
          return;
        }
      }
    } catch {
      // The kernel stops, and the turn with it.
    } finally {
      this.#line.leave();
    }
  }
}

const SHUTTING_DOWN = { status: 503, code: 'shutting_down', detail: 'The kernel is shutting down.' } as const;
