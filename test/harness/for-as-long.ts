/** Limits random cases by time: a much slower machine tries fewer of them, but at least one. */
import type { IAsyncProperty } from 'fast-check';
import { atScale } from './scale.ts';

/**
 * Runs the cases of a property for a limited time after the first one; later cases pass untried. A running case is
 * never interrupted.
 * @param ms the time in milliseconds for a run at scale; a normal run takes a fifteenth of it
 */
export function forAsLong<Case>(ms: number, property: IAsyncProperty<Case>): IAsyncProperty<Case> {
  const run = property.run.bind(property);
  let began: number | undefined;
  property.run = async value => {
    began ??= performance.now();
    return performance.now() - began < atScale(ms / 15, ms) ? run(value) : null;
  };
  return property;
}
