/** The items of operations: each begins with its request and ends with it. */
import type { EventOf, Item, Resolution } from '@chat-kernel/protocol';
import { itemOfOperation } from '../items/operation.ts';

/** An operation that a client was asked for and has not answered. */
interface OpenOperation {
  event: EventOf<'client_op'>;
  position: { id: string; turn_id: string; created_at: string };
  /** The place of its event in the log. */
  at: number;
}

/** The characters above which the event of an ended operation leaves the log; most operations are far smaller. */
const LARGE_CHARS = 8 * 1024;

export class OperationItems {
  readonly #open = new Map<string, OpenOperation>();

  /** Begins the item of an operation whose event stands in the log. */
  begin(event: EventOf<'client_op'>, position: OpenOperation['position'], at: number): Item {
    this.#open.set(event.id, { event, position, at });
    return itemOfOperation(event, position, null);
  }

  /**
   * Ends the item of the request, if it was an operation.
   * @param failed what was asked was not done
   * @param charsAt the weight of the event at a place of the log
   * @returns the whole item; and the place of its event, where that is to leave the log
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
    // The operation is over, so no client needs its event any more, and the files in such events would fill the log.
    const leaves = event.action === 'write_bytes' || charsAt(at) > LARGE_CHARS;
    return {
      item: itemOfOperation(event, position, { ...resolution, failed }),
      blank: leaves ? at : undefined,
    };
  }
}
