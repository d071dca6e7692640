/** Replaces methods of objects, such as a store. */

/**
 * Returns the object with some members replaced. The rest are called on the object itself, which may be a class with
 * private fields.
 */
export function replaceMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const replaced = Reflect.get(methods, name);
      if (replaced !== undefined) return replaced;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Returns the object with parts, such as a store, so that each call of a part passes through `around`, with a name such
 * as `chats.write`.
 * @param skipped parts that stay as they are
 */
export function aroundCalls<Parts extends object>(
  parts: Parts,
  around: (operation: string, call: () => unknown) => unknown,
  skipped: readonly string[] = [],
): Parts {
  const watched = Object.entries(parts).filter(
    ([name, part]) => typeof part === 'object' && part !== null && !skipped.includes(name),
  );
  const replaced = watched.map(([name, part]) => {
    const get = (target: object, method: string | symbol) => {
      const value = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => around(`${name}.${String(method)}`, () => value.apply(target, given));
    };
    return [name, new Proxy(part, { get })];
  });
  return replaceMethods(parts, Object.fromEntries(replaced) as Partial<Parts>);
}
