/** Converts items to rows: an item, or a piece of a long item. A row stays the same object until it changes. */
import type { Item } from '@chat-kernel/client';
import { joinOperations, type Operation } from './operations.ts';
import { type Piece, Pieces, type Surroundings } from './pieces.ts';

export interface Row {
  readonly key: string;
  readonly item: Item;
  /** The key of the item, the same while it runs and in the history. */
  readonly itemKey: string;
  /** For responses. */
  readonly piece?: Piece;
  readonly pieces?: Pieces;
  /** The operations that a tool call ran on a machine. */
  readonly operations?: readonly Operation[];
  readonly surroundings?: Surroundings;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

interface Known {
  item: Item;
  operations: readonly Operation[];
  rows: readonly Row[];
  pieces: Pieces;
}

export class Rows {
  readonly #known = new Map<string, Known>();
  /** Turns that ran while this page was open. Their items have other ids in the history. */
  readonly #live = new Set<string>();

  /** @param liveTurn the running or last turn */
  of(items: readonly Item[], liveTurn: string | null): readonly Row[] {
    if (liveTurn !== null) this.#live.add(liveTurn);
    const counts = new Map<string, number>();
    const rows: Row[] = [];
    const shown = new Set<string>();
    const joined = joinOperations(items);
    for (const item of joined.items) {
      const key = this.#keyOf(item, counts);
      shown.add(key);
      for (const row of this.#rowsOf(key, item, joined.operations.get(item.id))) rows.push(row);
    }
    if (this.#known.size > shown.size + 500) this.#forget(shown);
    return rows;
  }

  /** Numbers the items of a live turn by kind, because their ids change when they are stored. */
  #keyOf(item: Item, counts: Map<string, number>): string {
    const { kind, turn_id, id } = item;
    if (kind === 'user_message') return item.message_id;
    if (turn_id === null || !this.#live.has(turn_id)) return id;
    const family = `${turn_id}:${kind}`;
    const count = counts.get(family) ?? 0;
    counts.set(family, count + 1);
    return `${family}:${count}`;
  }

  #rowsOf(key: string, item: Item, operations = NO_OPERATIONS): readonly Row[] {
    const known = this.#known.get(key);
    if (known?.item === item && isEqual(known.operations, operations)) return known.rows;
    const pieces = known?.pieces ?? new Pieces();
    const before = known && isAlike(known.item, item) ? known.rows : [];
    const rows =
      item.kind === 'agent_message' ? cut(key, item, pieces, before) : [whole(key, item, operations)];
    this.#known.set(key, { item, operations, rows, pieces });
    return rows;
  }

  #forget(shown: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!shown.has(key)) this.#known.delete(key);
  }
}

const NO_OPERATIONS: readonly Operation[] = [];
const isEqual = (a: readonly Operation[], b: readonly Operation[]): boolean =>
  a.length === b.length && a.every((operation, index) => operation === b[index]);

const whole = (key: string, item: Item, operations: readonly Operation[]): Row => ({
  key,
  item,
  itemKey: key,
  operations,
  isFirst: true,
  isLast: true,
});

function cut(
  key: string,
  item: Extract<Item, { kind: 'agent_message' }>,
  pieces: Pieces,
  before: readonly Row[],
): readonly Row[] {
  const all = pieces.of(item.text, item.status !== 'running');
  const { surroundings } = pieces;
  return all.map((piece, index) => {
    const isLast = index === all.length - 1;
    const known = before[index];
    // A closed piece renders once, so it can keep the item that it was first rendered with.
    if (known?.piece === piece && known.surroundings === surroundings && !known.isLast && !isLast)
      return known;
    const isFirst = index === 0;
    return { key: `${key}/${index}`, item, itemKey: key, piece, pieces, surroundings, isFirst, isLast };
  });
}

/** True if rows of both items look the same, apart from their pieces. */
const isAlike = (a: Item, b: Item): boolean => a.id === b.id && a.status === b.status;

/**
 * Finds the answers that another model wrote than the answer before them. Returns their models by the keys of their
 * items. Answers without a known model are skipped.
 */
export function findNewModels(rows: readonly Row[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let last: string | undefined;
  for (const { item, itemKey, isFirst } of rows) {
    if (!isFirst || item.kind !== 'agent_message' || item.model === undefined) continue;
    if (last !== undefined && item.model !== last) found.set(itemKey, item.model);
    last = item.model;
  }
  return found;
}

/** Returns the id of the message that contains an item. */
export const findMessageId = (item: Item): string =>
  item.kind === 'user_message' ? item.message_id : (item.id.split(':')[0] ?? '');
