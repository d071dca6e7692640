/** Checks the size of the transport in a page that uses the AI SDK. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundledFrom } from '../../client/test/bundled.ts';

it('the AI SDK transport bundles no code of the AI SDK, hands or reducer', async () => {
  const code = await bundledFrom({
    'client/src/index.ts': ['KernelClient'],
    'ai-sdk/src/index.ts': ['KernelChatTransport', 'loadHistory', 'uploadPart'],
  });
  const size = gzipSync(code).length;
  process.stderr.write(`client with the transport: ${code.length} bytes (${size} gzipped)\n`);
  expect(code).toContain('data-request');
  for (const trace of ['unknown op action', 'has_older', 'turn_squeezed', 'AI_'])
    expect(code).not.toContain(trace);
  expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|node:|process\.|Buffer/);
  expect(size).toBeLessThan(9.5 * 1024);
});
