/** The modules that come with the kernel: one setting switches them on, and they are modules like anybody's. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { becomes, kernelOf, modulesOf } from '../harness/modules.ts';

test('[MOD-2] a module that comes with the kernel is up once modules.shipped names it, and its file of settings counts', async () => {
  const dataDir = directoryOfTest();
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  writeFileSync(join(dataDir, 'modules/web.yaml'), 'kernel: { wait_secs: 5 }\n');
  const { api } = await kernelOf({ dataDir, settings: { modules: { shipped: ['web'] } } });
  await becomes(api, 'web', 'up');
  expect(await modulesOf(api)).toMatchObject([{ name: 'web', source: 'settings', problem: null }]);
});

test.each([
  ['mail', 'module: { address: me }', /mail\.yaml is wrong:[\s\S]*module\.address/],
  [
    'telegram',
    'module: { token: nonsense }',
    /telegram\.yaml is wrong:[\s\S]*expected the token of @BotFather/,
  ],
] as const)('[MOD-2] [MOD-11] a wrong file of settings of the module %s is told as its problem', async (name, text, problem) => {
  const dataDir = directoryOfTest();
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  writeFileSync(join(dataDir, `modules/${name}.yaml`), text);
  const { api } = await kernelOf({ dataDir, settings: { modules: { shipped: [name] } } });
  await expect.poll(async () => (await modulesOf(api))[0]?.problem, { timeout: 60_000 }).toMatch(problem);
});
