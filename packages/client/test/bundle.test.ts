/** The bytes of the client in a program that uses a part of it. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundled, bundledFrom } from './bundled.ts';

it('a program that only calls and streams carries neither the reducer nor hands, and nothing of Node', async () => {
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
    expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|node:|process\.|Buffer/);
  expect(sizes[0]).toBeLessThan(6 * 1024);
  expect(sizes[1]).toBeLessThan(12 * 1024);
});

it('the transport for the AI SDK carries nothing of the AI SDK, and neither hands nor the reducer', async () => {
  const code = await bundledFrom({
    'index.ts': ['KernelClient'],
    'ai-sdk/index.ts': ['KernelChatTransport', 'historyOf', 'uploadPart'],
  });
  const size = gzipSync(code).length;
  process.stderr.write(`client with the transport: ${code.length} bytes (${size} gzipped)\n`);
  expect(code).toContain('data-request');
  for (const trace of ['unknown op action', 'has_older', 'turn_squeezed', 'AI_'])
    expect(code).not.toContain(trace);
  expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|node:|process\.|Buffer/);
  expect(size).toBeLessThan(9 * 1024);
});
