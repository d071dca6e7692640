/** Counts the writes that were refused because the chat has another owner, wherever they were made (FLEET-2). */
import { isFenced, type Store } from '@chat-kernel/kernel';
import { replaceMethods } from './replace-methods.ts';

/** Returns the store, of whose parts each refusal of this kind is told. */
export function watchFenced(store: Store, onFenced: () => void): Store {
  const told = (error: unknown): never => {
    if (isFenced(error)) onFenced();
    throw error;
  };
  const parts = Object.entries(store).filter(([, part]) => typeof part === 'object' && part !== null);
  return replaceMethods(
    store,
    Object.fromEntries(parts.map(([name, part]) => [name, watchPart(part, told)])),
  );
}

function watchPart<Part extends object>(part: Part, told: (error: unknown) => never): Part {
  return new Proxy(part, {
    get(target, method) {
      const value = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result = value.apply(target, given);
        return result instanceof Promise ? result.catch(told) : result;
      };
    },
  });
}
