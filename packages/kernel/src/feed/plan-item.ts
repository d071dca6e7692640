/** Holds the plan of a turn, which is one item however often it changes (EV-9). */
import type { Item, PlanTask } from '@chat-kernel/protocol';

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
