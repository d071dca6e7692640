/** The doctor with the real bubblewrap if available, and without it. */
import { Settings } from '@chat-kernel/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { checkSandbox } from '../src/doctor/doctor.ts';

afterEach(() => vi.unstubAllEnvs());

it('tries the sandbox, or names the missing package', async () => {
  const data_dir = directoryOfTest();
  const check = () => checkSandbox(Settings.parse({ data_dir, tools: { shell: { sandbox: 'bwrap' } } }), []);
  const { level, says } = await check();
  // Not everywhere may bubblewrap do its work.
  expect(says).toMatch(level === 'problem' ? /^bubblewrap / : /^bubblewrap works; /);
  vi.stubEnv('PATH', data_dir);
  expect((await check()).says).toBe(
    'bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)',
  );
});
