import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', '{apps,modules}/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // Generous: a machine shared with others may be many times slower for a while, and a test that waits for nothing ends at once.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // On the build server alone: a real fault fails three times, a machine that stood still for a while does not.
    retry: process.env.REQUIRE_ALL ? 2 : 0,
    expect: { poll: { timeout: 30_000 } },
    // Files share a process: a new one for each of 350 files costs more than half of their tests do. No file leaves timers,
    // variables of the environment or mocks behind.
    isolate: false,
    // Programs that tests start need not strip and compile what one before them did: a third of their time and memory.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tests') },
    // What one run has stripped of its types, the next need not.
    fsModuleCache: true,
    // Two cores are the machine this is built on; more files side by side only make each slower.
    maxWorkers: 2,
  },
});
