/** Objects with other methods in the place of some. */

/**
 * Returns the object with other members in the place of some. The rest are called on the object itself, which may be a
 * class with private fields.
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
