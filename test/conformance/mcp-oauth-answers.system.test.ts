/** Tests that a sign-in does not continue after a kill of the kernel. */
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startHosted } from '../harness/hosted.ts';
import { startKernelProcess } from '../harness/process.ts';
import { back, becomes, begin, end, SECONDS_30, settingsWith, signIn } from '../harness/signing-in.ts';

test('[MCP-5] requires a new sign-in after a kill between code and tokens', async () => {
  const hosted = await startHosted();
  const options = { dataDir: directoryOfTest(), settings: settingsWith(hosted) };
  const first = await startKernelProcess(options);
  await becomes(first, { sign_in: 'needed' });
  const address = await back(await begin(first));
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  hosted.gate = gate;
  const cut = expect(end(address)).rejects.toThrow();
  await expect.poll(() => hosted.given.code, SECONDS_30).toBe(1);
  await first.kill();
  await cut;
  open();

  const second = await startKernelProcess(options);
  await becomes(second, { status: 'down', sign_in: 'needed' });
  const late = new URL(address.pathname + address.search, second.url);
  expect(await end(late)).toMatchObject({ status: 400, text: expect.stringContaining('Start it again') });
  await signIn(second);
  expect(hosted.given.code).toBe(2);
  await second.stop();
});
