/** What the doctor says of the sandbox, with the real bubblewrap where this system has one. */
import { Settings } from '@chat-kernel/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { checkSandbox } from '../src/doctor/sandbox.ts';

afterEach(() => vi.unstubAllEnvs());

const check = (shell: object, folder = directoryOfTest()) =>
  checkSandbox(Settings.parse({ data_dir: folder, tools: { shell } }), [`${folder}/config.yaml`]);

it('says that there is none, where the settings want none', async () => {
  expect(await check({})).toEqual({
    about: 'sandbox',
    level: 'ok',
    says: 'none; the commands of models can do all that this user can',
  });
});

it('says what to install where the one that is wanted is missing', async () => {
  const folder = directoryOfTest();
  vi.stubEnv('PATH', folder);
  expect(await check({ sandbox: 'bwrap' }, folder)).toMatchObject({
    level: 'problem',
    says: expect.stringMatching(/^bubblewrap is not installed: no bwrap in PATH/),
    cure: expect.stringContaining('tools.shell.sandbox: none'),
  });
});

it.each([
  ['off', 'bubblewrap works; commands have no network'],
  ['on', 'bubblewrap works; commands have the network of this machine, and reach the kernel'],
])('says what commands reach with the network %s', async (network, says) => {
  const finding = await check({ sandbox: 'bwrap', network });
  // Not everywhere may bubblewrap do its work.
  if (finding.level === 'problem') expect(finding.says).toMatch(/^bubblewrap /);
  else expect(finding).toEqual({ about: 'sandbox', level: 'ok', says });
});
