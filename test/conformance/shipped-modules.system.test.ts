/** Tests the modules that ship with the kernel: one setting enables them, and they behave like third-party modules. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { becomes, modulesOf } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';

test('[MOD-2] starts a shipped module once modules.shipped names it, with its settings file', async () => {
  const dataDir = directoryOfTest();
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  writeFileSync(join(dataDir, 'modules/web.yaml'), 'kernel: { wait_secs: 5 }\n', { mode: 0o600 });
  const { api } = await kernelOf({ dataDir, settings: { modules: { shipped: ['web'] } } });
  await becomes(api, 'web', 'up');
  expect(await modulesOf(api)).toMatchObject([{ name: 'web', source: 'settings', problem: null }]);
});

test.each([
  ['mail', 'module: { address: me }', /mail\.yaml is wrong:[\s\S]*module\.address/],
  [
    'telegram',
    'module: { token: nonsense }',
    /telegram\.yaml is wrong:[\s\S]*expected a bot token from @BotFather/,
  ],
] as const)('[MOD-2] [MOD-11] reports a wrong settings file of the module %s as its problem', async (name, text, problem) => {
  const dataDir = directoryOfTest();
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  writeFileSync(join(dataDir, `modules/${name}.yaml`), text, { mode: 0o600 });
  const { api } = await kernelOf({ dataDir, settings: { modules: { shipped: [name] } } });
  await expect.poll(async () => (await modulesOf(api))[0]?.problem, { timeout: 60_000 }).toMatch(problem);
});

test('[MOD-2] [MOD-11] does not start a module whose settings other users can read, and says how to fix it', async () => {
  const dataDir = directoryOfTest();
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  const file = join(dataDir, 'modules/web.yaml');
  writeFileSync(file, 'module: {}\n');
  chmodSync(file, 0o644);
  const { api } = await kernelOf({ dataDir, settings: { modules: { shipped: ['web'] } } });
  const problem = async () => (await modulesOf(api))[0]?.problem;
  await expect
    .poll(problem, { timeout: 60_000 })
    .toMatch(/web\.yaml .*other users can read it\. Run chmod 600 /);
  expect(await modulesOf(api)).toMatchObject([{ name: 'web', status: 'down' }]);
});
