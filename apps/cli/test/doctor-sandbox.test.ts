/** The findings of the doctor about the sandbox. */
import { Sandbox } from '@chat-kernel/hands/own-machine';
import { Settings } from '@chat-kernel/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { checkSandbox } from '../src/doctor/doctor.ts';

afterEach(() => vi.restoreAllMocks());

const about = 'sandbox';
const NONE = 'none; commands of models have all permissions of this user';
const HELD = 'bubblewrap works; commands can write in the working directory and reach';
const confirm = 'or set tools.shell.sandbox: none to confirm this';
const leave = 'or set tools.shell.sandbox: none, for example in a container';
const missing = { about, level: 'problem', says: 'No bwrap.', cure: leave };

it.each([
  [{ sandbox: 'none' }, 'No bwrap.', { about, level: 'ok', says: NONE }],
  [{}, 'No bwrap.', { about, level: 'warning', says: `${NONE}: No bwrap.`, cure: confirm }],
  [{ network: 'off' }, 'No bwrap.', missing],
  [{ sandbox: 'bwrap' }, 'No bwrap.', missing],
  [{ network: 'off' }, null, { about, level: 'ok', says: `${HELD} no host` }],
  [{ network: 'on' }, null, { about, level: 'ok', says: `${HELD} public hosts only` }],
  [{ network: ['a.org', '*.b.net'] }, null, { about, level: 'ok', says: `${HELD} a.org, *.b.net` }],
])('[WHO-7] reports what commands can do with the settings %j and the problem %j', async (shell, problem, finding) => {
  vi.spyOn(Sandbox.prototype, 'problem').mockResolvedValue(problem);
  expect(await checkSandbox(Settings.parse({ tools: { shell } }), [])).toEqual(finding);
});
