/**
 * Gives a run a folder in memory for its databases (test/harness/in-memory.ts). A shell that waits for the end of its input
 * removes the folder, so that nothing stays in memory even if the run is killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inMemory } from '../../test/harness/in-memory.ts';

/** Postgres and kernels of a killed run may write for a moment longer. */
const REMOVE = 'cat; until rm -rf -- "$1"; do sleep 0.1; done';

/** A removal that takes longer is reported as an error: the run must not wait for it forever. */
const END_MS = 120_000;

/** Sets TEST_MEMORY to the folder. */
export default async function openMemory(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(inMemory(), 'chat-kernel-tests-'));
  // Postgres runs as another user.
  chmodSync(folder, 0o755);
  // In its own process group, so that the keyboard does not interrupt it.
  const remover = spawn('sh', ['-c', REMOVE, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  process.env.TEST_MEMORY = folder;
  return async () => {
    if (remover.exitCode !== null || remover.signalCode !== null) return;
    const gone = once(remover, 'exit', { signal: AbortSignal.timeout(END_MS) });
    remover.stdin.end();
    await gone;
  };
}
