/**
 * Functions that drop unused scripted replies. They run after each test, because the next one would receive a leftover.
 * The setup of all tests (scripts/test/setup.ts) calls them.
 */
export const leftovers = new Set<() => void>();
