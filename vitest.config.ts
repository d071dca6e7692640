import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // Generous: a machine shared with others may be many times slower for a while, and a test that waits for nothing ends at once.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // Files share a process: a new one for each of 350 files costs more than half of their tests do. No file leaves timers,
    // variables of the environment or mocks behind.
    isolate: false,
    // Programs that tests start need not strip and compile what one before them did: a third of their time and memory.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tests') },
    // Two cores are the machine this is built on; more files side by side only make each slower.
    maxWorkers: 2,
  },
});
