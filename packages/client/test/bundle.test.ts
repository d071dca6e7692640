/** Checks the size of the client in a program that uses a part of it. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundled } from './bundled.ts';

it('bundles no schemas or Node code, and no reducer or hands for a program that only calls and streams', async () => {
  const [lean, whole] = await Promise.all([
    bundled('KernelClient'),
    bundled('KernelClient', 'ChatView', 'HandsRunner', 'applyEvents', 'allowReads'),
  ]);
  const sizes = [lean, whole].map(code => gzipSync(code).length);
  process.stderr.write(
    `client: ${lean.length} bytes (${sizes[0]} gzipped), with all ${whole.length} (${sizes[1]})\n`,
  );
  for (const trace of ['request_resolved', 'client_op', 'unknown op action', 'has_older']) {
    expect(whole).toContain(trace);
    // The streams name request_resolved, which may follow a done.
    if (trace !== 'request_resolved') expect(lean).not.toContain(trace);
  }
  for (const code of [lean, whole])
    expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|node:|process\.|Buffer|_zod/);
  expect(sizes[0]).toBeLessThan(6 * 1024);
  expect(sizes[1]).toBeLessThan(14 * 1024);
});
