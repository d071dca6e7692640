/** The doctor's findings about the sandbox, with the real bubblewrap if available. */
import { Settings } from '@chat-kernel/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { checkSandbox } from '../src/doctor/sandbox.ts';

afterEach(() => vi.unstubAllEnvs());

const check = (shell: object, folder = directoryOfTest()) =>
  checkSandbox(Settings.parse({ data_dir: folder, tools: { shell } }), [`${folder}/config.yaml`]);

it('reports that commands are not sandboxed if the settings disable the sandbox', async () => {
  expect(await check({ sandbox: 'none' })).toEqual({
    about: 'sandbox',
    level: 'ok',
    says: 'none; commands of models have all permissions of this user',
  });
});

it('names the missing package if the required sandbox is not installed', async () => {
  const folder = directoryOfTest();
  vi.stubEnv('PATH', folder);
  expect(await check({ sandbox: 'bwrap' }, folder)).toMatchObject({
    level: 'problem',
    says: expect.stringMatching(/^bubblewrap is not installed: no bwrap in PATH/),
    cure: expect.stringContaining('tools.shell.sandbox: none'),
  });
});

it('[WHO-7] reports a system without a sandbox and suggests a fix', async () => {
  const folder = directoryOfTest();
  vi.stubEnv('PATH', folder);
  expect(await check({}, folder)).toEqual({
    about: 'sandbox',
    level: 'warning',
    says: 'none; commands of models have all permissions of this user: bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)',
    cure: 'or set tools.shell.sandbox: none to confirm this',
  });
  expect(await check({ network: 'off' }, folder)).toMatchObject({ level: 'problem' });
});

const HELD = 'bubblewrap works; commands can write in the working directory and reach';
it.each([
  ['off', `${HELD} no host`],
  ['on', `${HELD} public hosts only`],
  [['example.org', '*.example.net'], `${HELD} example.org, *.example.net`],
])('reports what commands can reach with the network %s', async (network, says) => {
  const finding = await check({ sandbox: 'bwrap', network });
  // Not everywhere may bubblewrap do its work.
  if (finding.level === 'problem') expect(finding.says).toMatch(/^bubblewrap /);
  else expect(finding).toEqual({ about: 'sandbox', level: 'ok', says });
});
