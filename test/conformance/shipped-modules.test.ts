/** The modules that come with the kernel: one setting switches them on, and they are modules like anybody's. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { becomes, kernelOf, modulesOf } from '../harness/modules.ts';

test('[MOD-2] a module that comes with the kernel is up once modules.shipped names it, and its file of settings counts', async () => {
  const { path: data_dir } = temporaryDirectory();
  mkdirSync(join(data_dir, 'modules'), { recursive: true });
  writeFileSync(join(data_dir, 'modules/web.yaml'), 'kernel: { wait_secs: 5 }\n');
  const { api } = await kernelOf({ settings: { data_dir, modules: { shipped: ['web'] } } });
  await becomes(api, 'web', 'up');
  expect(await modulesOf(api)).toMatchObject([{ name: 'web', source: 'settings', problem: null }]);
});
