/** Random cases for a limited time: a machine that is many times slower tries fewer of them, and at least one. */
import type { IAsyncProperty } from 'fast-check';

/**
 * Lets a property try its cases for so long after the first; those after that pass untried. A case that is under way
 * is never cut.
 * @param ms the time in milliseconds; a machine with nothing else to do needs less for all cases
 */
export function forAsLong<Case>(ms: number, property: IAsyncProperty<Case>): IAsyncProperty<Case> {
  const run = property.run.bind(property);
  let began: number | undefined;
  property.run = async value => {
    began ??= performance.now();
    return performance.now() - began < ms ? run(value) : null;
  };
  return property;
}
