/** A stream of the project's own client, as tests read it: a line that breaks is a failure, not a new connection. */
import type { KernelEvent, StartedTurn, TurnEvent } from '@chat-kernel/client';
import type { Event } from '@chat-kernel/protocol';
import { KeptEvents } from './kept-events.ts';

/** Told each event as it comes; what it throws ends the stream. */
export type Told = (event: Event) => void;

export class Followed<Kept extends { type: string } = Event> extends KeptEvents<Kept> {
  readonly #leave: () => void;
  #left = false;

  /** @param leave ends the stream, and nothing else */
  constructor(
    stream: AsyncIterable<TurnEvent | KernelEvent>,
    leave: () => void,
    told: (event: Kept) => void = () => {},
  ) {
    super();
    this.#leave = leave;
    void this.#read(stream, told);
  }

  override hangUp(): void {
    this.#left = true;
    this.#leave();
  }

  async #read(stream: AsyncIterable<TurnEvent | KernelEvent>, told: (event: Kept) => void): Promise<void> {
    try {
      for await (const event of stream) {
        // Held against the document before the client has seen it.
        const kept = event as unknown as Kept;
        told(kept);
        this.keep(kept);
      }
      this.end();
    } catch (error) {
      this.end(this.#left ? undefined : (error as Error));
    }
  }
}

/** A turn that is followed from its message on. */
export class FollowedTurn extends Followed {
  readonly turnId: string;
  readonly messageId: string;

  constructor(
    stream: AsyncIterable<TurnEvent>,
    { turn_id, message_id }: StartedTurn,
    leave: () => void,
    told?: Told,
  ) {
    super(stream, leave, told);
    this.turnId = turn_id;
    this.messageId = message_id;
  }
}
