/** Replaces some methods of an object. */

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
