/** Tracks the items of client operations and of requests for consent: each begins with its request and ends with it. */
import type { Item, Resolution } from '@chat-kernel/protocol';
import { itemOfOperation, type OperationEvent } from '../items/operation.ts';

/** An operation that was sent to a client and has no answer yet. */
interface OpenOperation {
  event: OperationEvent;
  position: { id: string; turn_id: string; created_at: string };
  /** The index of its event in the log. */
  at: number;
}

/**
 * The size in characters above which the event of an ended operation is removed from the log; most operations are far
 * smaller.
 */
const LARGE_CHARS = 8 * 1024;

export class OperationItems {
  readonly #open = new Map<string, OpenOperation>();

  /** Begins the item of an operation whose event is in the log. */
  begin(event: OperationEvent, position: OpenOperation['position'], at: number): Item {
    this.#open.set(event.id, { event, position, at });
    return itemOfOperation(event, position, null);
  }

  /**
   * Ends the item of the request, if it was an operation.
   * @param failed true if the request was not fulfilled
   * @param charsAt returns the size of the event at an index of the log
   * @returns the complete item, and the index of its event if that should be removed from the log
   */
  end(
    resolution: Resolution,
    failed: boolean,
    charsAt: (at: number) => number,
  ): { item: Item; blank: number | undefined } | undefined {
    const operation = this.#open.get(resolution.id);
    if (operation === undefined) return undefined;
    this.#open.delete(resolution.id);
    const { event, position, at } = operation;
    // The operation is over, so clients no longer need its event, and the files in such events would fill the log.
    const leaves = event.action === 'write_bytes' || charsAt(at) > LARGE_CHARS;
    return {
      item: itemOfOperation(event, position, { ...resolution, failed }),
      blank: leaves ? at : undefined,
    };
  }
}
