/** What the doctor says of the sandbox, with the real bubblewrap where this system has one. */
import { Settings } from '@chat-kernel/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { checkSandbox } from '../src/doctor/sandbox.ts';

afterEach(() => vi.unstubAllEnvs());

const check = (shell: object, folder = directoryOfTest()) =>
  checkSandbox(Settings.parse({ data_dir: folder, tools: { shell } }), [`${folder}/config.yaml`]);

it('says that there is none, where the settings want none', async () => {
  expect(await check({ sandbox: 'none' })).toEqual({
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

it('[WHO-7] says that none holds where the system has none, and what to do about it', async () => {
  const folder = directoryOfTest();
  vi.stubEnv('PATH', folder);
  expect(await check({}, folder)).toEqual({
    about: 'sandbox',
    level: 'warning',
    says: 'none; the commands of models can do all that this user can: bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)',
    cure: 'or say tools.shell.sandbox: none where that is meant',
  });
  expect(await check({ network: 'off' }, folder)).toMatchObject({ level: 'problem' });
});

const HELD = 'bubblewrap works; commands write in the working directory, and reach';
it.each([
  ['off', `${HELD} no host`],
  ['on', `${HELD} public hosts alone`],
  [['example.org', '*.example.net'], `${HELD} example.org, *.example.net`],
])('says what commands reach with the network %s', async (network, says) => {
  const finding = await check({ sandbox: 'bwrap', network });
  // Not everywhere may bubblewrap do its work.
  if (finding.level === 'problem') expect(finding.says).toMatch(/^bubblewrap /);
  else expect(finding).toEqual({ about: 'sandbox', level: 'ok', says });
});
