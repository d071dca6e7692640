/** A store whose writes are counted: the one place through which every end of a turn and all spend goes. */
import type { SpendRow, Store, TurnRecord } from '@chat-kernel/kernel';

interface StoreCounters {
  /** Called after a turn was written with this status. */
  countTurn(status: TurnRecord['status']): void;
  /** Called after spend was written. */
  countSpend(spend: SpendRow): void;
}

/** Returns a store that writes through the given one, which stays as it is, and counts what has been written. */
export function countedStore(store: Store, { countTurn, countSpend }: StoreCounters): Store {
  const turns = replaceMethods(store.turns, {
    async write(write) {
      await store.turns.write(write);
      if (write.turn.status) countTurn(write.turn.status);
      if (write.spend) countSpend(write.spend);
    },
  });
  const chats = replaceMethods(store.chats, {
    async write(write) {
      await store.chats.write(write);
      if (write.spend) countSpend(write.spend);
    },
  });
  const spend = replaceMethods(store.spend, {
    async record(row, days) {
      await store.spend.record(row, days);
      countSpend(row);
    },
  });
  return replaceMethods(store, { turns, chats, spend });
}

/**
 * Returns the object with other methods in the place of some. The rest are called on the object itself, which may be a
 * class with private fields.
 */
function replaceMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const replaced = Reflect.get(methods, name);
      if (replaced !== undefined) return replaced;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
