/** A kernel process that reports how long its event loop was blocked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startUpstream } from '../upstream/server.ts';
import { temporaryDirectory } from './directory.ts';
import { startKernelProcess } from './process.ts';

export async function startMeasuredKernel() {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'blocks');
  writeFileSync(file, '');
  const upstream = await startUpstream();
  const models = [{ id: 'scripted/plain', context_window: 10_000_000 }];
  const loaded = `--import=${new URL('loop-cpu.js', import.meta.url)}`;
  const kernel = await startKernelProcess({
    upstream,
    settings: { llm: { models } },
    environment: { NODE_OPTIONS: loaded, LOOP_CPU_FILE: file },
  });
  // The first response of a kernel is checked against its API document, which is built for that: not during a measurement.
  await kernel.api.document();
  return {
    kernel,
    /**
     * The longest time that the kernel computed without returning to its event loop since the last call, in milliseconds
     * of processor time.
     */
    async longestBlock(): Promise<number> {
      // The last block is known at the next tick, which precedes a response of the kernel.
      await kernel.api.get('/healthz');
      const blocks = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
      writeFileSync(file, '');
      return Math.max(0, ...blocks);
    },
    async stop(): Promise<void> {
      await kernel.stop();
      await upstream.close();
      directory.remove();
    },
  };
}
