/** Builds items from item events as a client does, to compare them with those of history. */
import type { Event, Item } from '@chat-kernel/protocol';

/**
 * Returns the items of a stream in the order in which they began. Throws if the events contradict themselves: a delta
 * of an item that did not begin, two endings, an item that never ends, a text that is not the sum of its pieces.
 */
export function foldItems(events: readonly Event[]): Item[] {
  const items = new Map<string, Item>();
  const ended = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case 'item_started':
        if (items.has(event.item.id)) throw new Error(`${event.item.id} began twice`);
        if (event.item.status !== 'running') throw new Error(`${event.item.id} began ${event.item.status}`);
        items.set(event.item.id, event.item);
        break;
      case 'item_delta': {
        const item = items.get(event.item_id);
        if (!item || ended.has(event.item_id))
          throw new Error(`a delta of ${event.item_id}, which is not open`);
        items.set(item.id, grown(item, event.delta));
        break;
      }
      case 'item_completed': {
        const { item } = event;
        const drawn = items.get(item.id);
        if (!drawn || ended.has(item.id)) throw new Error(`${item.id} ended and was not open`);
        if (item.status === 'running') throw new Error(`${item.id} ended as running`);
        const streamed = item.kind === 'agent_message' || item.kind === 'thinking';
        if (streamed && (drawn as typeof item).text !== item.text) throw new Error(`${item.id} lost text`);
        items.set(item.id, item);
        ended.add(item.id);
        break;
      }
    }
  }
  const open = [...items.keys()].filter(id => !ended.has(id));
  if (open.length > 0) throw new Error(`items stayed open: ${open.join(', ')}`);
  return [...items.values()];
}

function grown(item: Item, delta: Extract<Event, { type: 'item_delta' }>['delta']): Item {
  switch (delta.type) {
    case 'text':
      return 'text' in item ? ({ ...item, text: item.text + delta.text } as Item) : item;
    case 'progress':
      return { ...item, progress: delta.output } as Item;
    case 'plan':
      return { ...item, tasks: delta.tasks } as Item;
    default:
      return delta satisfies never;
  }
}

/**
 * Returns the fields in which live items and history must agree: all but ids and the kinds that exist in only one of
 * them.
 */
export function comparable(items: readonly Item[]): Omit<Item, 'id'>[] {
  return items
    .filter(({ kind }) => !['user_message', 'plan', 'client_op'].includes(kind))
    .map(({ id: _, ...item }) => item);
}
