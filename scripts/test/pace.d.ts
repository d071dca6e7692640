/** From this factor on, a machine counts as slow: retried tests are listed and do not fail a run. */
export const SLOW: number;
/** How many times slower than normal the slower of processor and disk is, at least 1. */
export function measureSlowness(): number;
