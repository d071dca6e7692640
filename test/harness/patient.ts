/** Timeouts of tests that set one explicitly. All other timeouts are in vitest.config.ts. */

/** How many times slower than normal this machine is, measured by scripts/test/pace.js. */
const SLOWNESS = Number(process.env.TEST_SLOWNESS ?? 1);

/**
 * Options of a test, or of `expect.poll` and `vi.waitFor`, that really waits: for time to pass, for a program to start,
 * or for work that repeats.
 */
export const PATIENT = { timeout: 180_000 * SLOWNESS, interval: 50 };
