/** A turn in the name of a caller, from its beginning or from the answers to its calls to the end of one response. */
import type { TurnEvent } from '@chat-kernel/client';
import { KernelApiError } from '@chat-kernel/client';
import { type Entry, entriesOf } from '../conversation/entries.ts';
import { HungUp } from '../turns/beats.ts';
import { TurnFailure, TurnParts, type TurnPartsOptions } from '../turns/turn-parts.ts';
import type { Part } from '../wire/completion.ts';
import { failureOf, openAiErrorOf, refusalOf } from '../wire/problems.ts';
import type { Caller, Place } from './caller.ts';

interface TurnFacts {
  /** Undefined told: nothing is known of the chat, and nothing is remembered. */
  place: Pick<Place, 'chat_id' | 'how'> & { told: Place['told'] | undefined };
  turn_id: string;
  /** The message that began it; undefined: answers to its calls go on with it. */
  message_id: string | undefined;
  /** The conversation with all that is new in the request. */
  entries: readonly Entry[];
  /** The key under which the caller may come back for the turn. */
  key: string | undefined;
}

/** The events of a turn, as they come. */
export interface TurnLine {
  events: AsyncIterator<TurnEvent>;
  /** Hangs up; the turn goes on. */
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

  /** The response is whole. Called before its last piece goes out, for then the caller may ask on. */
  ended({ finish }: Extract<Part, { part: 'end' }>): void {
    this.#isOver = true;
    const { place, entries } = this.facts;
    if (place.told !== undefined && place.how !== 'named') {
      const said = entriesOf([...entries, { role: 'assistant', text: this.parts.said }]);
      this.#caller.known.remember(place.chat_id, said, place.told);
    }
    if (finish === 'tool_calls') void this.#watchCalls();
    else this.#line.leave();
  }

  /** Returns what the caller is told where the response breaks. */
  async broken(error: unknown): Promise<unknown> {
    if (error instanceof HungUp) {
      await this.hungUp();
      return error;
    }
    this.#isOver = true;
    this.#line.leave();
    if (this.#caller.closing.aborted) return refusalOf(SHUTTING_DOWN);
    if (!(error instanceof TurnFailure)) return openAiErrorOf(error);
    if (!this.parts.acted) await this.#undone();
    return failureOf(error.failure, !this.parts.acted);
  }

  /**
   * The caller is gone, which stops the turn: clients of this API stop a model so. Whoever has named a key may come back
   * for it. Does nothing once the response is over.
   */
  async hungUp(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#line.leave();
    if (this.facts.key !== undefined) return;
    this.#stop();
    if (!this.parts.acted) await this.#undone();
  }

  #stop(): void {
    const { place, turn_id, message_id } = this.facts;
    const turn = { turn_id, ...(message_id !== undefined && { message_id }) };
    this.#caller.stops.stop(place.chat_id, Promise.resolve(turn));
  }

  /**
   * Takes a request back of which nobody has heard a word and that has done nothing, so that the next attempt finds things
   * as they were. A chat that its caller names is left to the caller.
   */
  async #undone(): Promise<void> {
    const undoing = this.#undo().catch(error => {
      if (!(error instanceof KernelApiError)) this.#caller.onFailure(error);
    });
    this.#caller.undoing.add(undoing);
    await undoing;
    this.#caller.undoing.delete(undoing);
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
    // What somebody else has written since would go, too.
    if (messages[0]?.turn_id === turn_id) await kernel.rewind(chat_id, message_id);
    const isAnswer = ({ role }: Entry) => role === 'assistant';
    if (told) known.remember(chat_id, entries.slice(0, entries.findLastIndex(isAnswer) + 1), told);
  }

  /** A turn whose calls are not answered in time has nobody who reads it. */
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
