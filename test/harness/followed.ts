/**
 * Reads a stream of the project's own client. A dropped connection is a failure and does not lead to a new connection.
 */
import type { KernelEvent, StartedTurn, TurnEvent } from '@chat-kernel/client';
import type { Event } from '@chat-kernel/protocol';
import { KeptEvents } from './kept-events.ts';

/** Receives each event as it arrives. If it throws, the stream ends. */
export type Told = (event: Event) => void;

export class Followed<Kept extends { type: string } = Event> extends KeptEvents<Kept> {
  readonly #leave: () => void;
  #left = false;

  /** @param leave ends only the stream */
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
        // Already checked against the document before the client received it.
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

/** A turn whose stream is read from its message on. */
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
