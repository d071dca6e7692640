/** Tests that the harness finds a secret in what a process prints. */
import { describe, expect, test } from 'vitest';
import { startKernelProcess } from './process.ts';
import { secretOf } from './secrets.ts';

describe('a secret is found', () => {
  const secret = secretOf('harness');

  test('in the output of a process', async () => {
    const process = await startKernelProcess();
    await process.api.raw(`/v1/chats?q=${secret.slice(0, 12)}`, { method: 'GET' });
    expect((await process.stop()).code).toBe(0);
    await expect(startKernelProcess({ settings: { [secret]: {} } })).rejects.toThrow(
      'what the kernel prints',
    );
  });
});
