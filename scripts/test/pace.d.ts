/** How many times slower than normal the slower of processor and disk is, at least 1. */
export function measureSlowness(): number;
