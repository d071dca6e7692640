/** Wraps a store and counts its writes: every end of a turn and all spend pass through it. */
import { isFenced, type SpendRow, type Store, type TurnRecord } from '@chat-kernel/kernel';
import { aroundCalls, replaceMethods } from './replace-methods.ts';

interface StoreCounters {
  /** Called after a turn was written with this status. */
  countTurn(status: TurnRecord['status']): void;
  /** Called after spend was written. */
  countSpend(spend: SpendRow): void;
}

/** Returns a store that writes through the given, unchanged one, and counts what was written. */
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
 * Returns the object, such as a store, with parts that report each write that was rejected because the chat has another
 * owner (FLEET-2).
 */
export function watchFenced<Parts extends object>(parts: Parts, onFenced: () => void): Parts {
  const told = (error: unknown): never => {
    if (isFenced(error)) onFenced();
    throw error;
  };
  return aroundCalls(parts, (_, call) => {
    const result = call();
    return result instanceof Promise ? result.catch(told) : result;
  });
}
