/** Reads counts of tokens from responses. Totals and spending caps are computed from them, so they must be sound. */

/** More than any request can have. */
const MAX_TOKENS = 1_000_000_000;

/** Returns a whole number; 0, as if nothing was reported, for anything that cannot be a count. */
export const toTokenCount = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= MAX_TOKENS ? Math.ceil(value) : 0;
