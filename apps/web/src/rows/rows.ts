/** The rows of the list: an item, or a piece of a long one. A row stays the same object until it changes. */
import type { Item } from '@chat-kernel/client';
import { type Piece, Pieces } from './pieces.ts';

export interface Row {
  readonly key: string;
  readonly item: Item;
  /** The item's name for the list: the same while it runs and in the history. */
  readonly itemKey: string;
  /** For texts of the model. */
  readonly piece?: Piece;
  readonly pieces?: Pieces;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export class Rows {
  readonly #known = new Map<string, { item: Item; rows: readonly Row[]; pieces: Pieces }>();
  /** Turns that this page has seen running: their items have other ids in the history. */
  readonly #live = new Set<string>();

  /** @param liveTurn the turn that runs, or ran last */
  of(items: readonly Item[], liveTurn: string | null): readonly Row[] {
    if (liveTurn !== null) this.#live.add(liveTurn);
    const counts = new Map<string, number>();
    const rows: Row[] = [];
    const shown = new Set<string>();
    for (const item of items) {
      const key = this.#keyOf(item, counts);
      shown.add(key);
      for (const row of this.#rowsOf(key, item)) rows.push(row);
    }
    if (this.#known.size > shown.size + 500) this.#forget(shown);
    return rows;
  }

  /** An item keeps its place in its turn, whatever it is called: it is counted among those of its kind. */
  #keyOf(item: Item, counts: Map<string, number>): string {
    const { kind, turn_id, id } = item;
    if (kind === 'user_message') return item.message_id;
    if (turn_id === null || !this.#live.has(turn_id)) return id;
    const family = `${turn_id}:${kind}`;
    const count = counts.get(family) ?? 0;
    counts.set(family, count + 1);
    return `${family}:${count}`;
  }

  #rowsOf(key: string, item: Item): readonly Row[] {
    const known = this.#known.get(key);
    if (known?.item === item) return known.rows;
    const pieces = known?.pieces ?? new Pieces();
    const before = known && isAlike(known.item, item) ? known.rows : [];
    const rows = item.kind === 'agent_message' ? cut(key, item, pieces, before) : [whole(key, item)];
    this.#known.set(key, { item, rows, pieces });
    return rows;
  }

  #forget(shown: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!shown.has(key)) this.#known.delete(key);
  }
}

const whole = (key: string, item: Item): Row => ({ key, item, itemKey: key, isFirst: true, isLast: true });

function cut(
  key: string,
  item: Extract<Item, { kind: 'agent_message' }>,
  pieces: Pieces,
  before: readonly Row[],
): readonly Row[] {
  const all = pieces.of(item.text, item.status !== 'running');
  return all.map((piece, index) => {
    const isLast = index === all.length - 1;
    const known = before[index];
    // A settled piece is drawn once: the item that it was first drawn with is as good as any later one.
    if (known?.piece === piece && known.isLast === isLast && !isLast) return known;
    return { key: `${key}/${index}`, item, itemKey: key, piece, pieces, isFirst: index === 0, isLast };
  });
}

/** Whether what the rows show besides their pieces is the same. */
const isAlike = (a: Item, b: Item): boolean => a.id === b.id && a.status === b.status;
