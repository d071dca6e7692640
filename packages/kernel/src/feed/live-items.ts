/** Defines the items of a running turn, its operations and its plan. */
import type { Item, PlanTask, Resolution } from '@chat-kernel/protocol';
import { itemOfOperation, type OperationEvent } from '../items/operation.ts';
import type { StoredBlock } from '../ports/index.ts';

/** An item of the running turn, as returned by the feed. */
export interface LiveItem {
  readonly id: string;
  readonly block: StoredBlock;
  readonly created_at: string;
}

/** A block that grows while the model writes it. */
export type StreamedBlock = Extract<StoredBlock, { type: 'text' | 'thinking' }>;

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

/** The plan of a turn, which is one item however often it changes (EV-9). */
export class PlanItem {
  readonly #position: Pick<Item, 'id' | 'turn_id' | 'created_at'>;
  tasks: PlanTask[];

  constructor(position: Pick<Item, 'id' | 'turn_id' | 'created_at'>, tasks: PlanTask[]) {
    this.#position = position;
    this.tasks = tasks;
  }

  get id(): string {
    return this.#position.id;
  }

  /** The item in the form that clients get. */
  as(status: 'running' | 'completed' | 'aborted'): Item {
    const { id, turn_id, created_at } = this.#position;
    return { id, kind: 'plan', status, turn_id, created_at, tasks: this.tasks };
  }
}
