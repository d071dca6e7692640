/** Counts the writes that were rejected because the chat has another owner (FLEET-2). */
import { isFenced } from '@chat-kernel/kernel';
import { replaceMethods } from './replace-methods.ts';

/** Returns the object, such as a store, with parts that report each such rejection. */
export function watchFenced<Parts extends object>(parts: Parts, onFenced: () => void): Parts {
  const told = (error: unknown): never => {
    if (isFenced(error)) onFenced();
    throw error;
  };
  const objects = Object.entries(parts).filter(([, part]) => typeof part === 'object' && part !== null);
  return replaceMethods(
    parts,
    Object.fromEntries(objects.map(([name, part]) => [name, watchPart(part, told)])) as Partial<Parts>,
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
