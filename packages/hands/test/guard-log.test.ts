/** Tests the sentences about what a command in the sandbox did not see. */
import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { GuardLog } from '../src/shell/guard-log.ts';
import { NO_GUARD } from '../src/shell/guard-workdir.ts';
import { networkNotes } from '../src/shell/network-notes.ts';

test('[CONSENT-8] names the hidden home directory only if the output does', () => {
  const log = new GuardLog('/srv/scratch');
  log.add({ ...NO_GUARD, hidden: [{ path: homedir(), kind: 'directory' }] });
  expect(log.notes('Thu Nov 26 08:27:16 UTC 2026\n')).toEqual([]);
  expect(log.notes(`cat: ${homedir()}/notes.txt: No such file or directory\n`)).toEqual([
    `[sandbox: hidden: ${homedir()}]`,
  ]);
});

test.each([
  ['connect ECONNREFUSED 127.0.0.1:5432', 'ports of this machine'],
  ['ssh: Could not resolve hostname github.com: Name or service not known', 'through the proxy'],
  ['getaddrinfo EAI_AGAIN registry.npmjs.org', 'through the proxy'],
  ['No such file', null],
])('[CONSENT-9] names what a failed command did not reach: %s', (output, named) => {
  const facts = { network: 'on', failures: [], failed: true } as const;
  const expected = named === null ? [] : [expect.stringContaining(named)];
  expect(networkNotes(output, facts)).toEqual(expected);
  expect(networkNotes(output, { ...facts, failed: false })).toEqual([]);
  expect(networkNotes(output, { ...facts, failures: ['a.test is blocked.'] })).toEqual([
    '[network: a.test is blocked.]',
  ]);
});

test('[CONSENT-9] names the setting if there is no network', () => {
  const note = '[sandbox: there is no network, because tools.shell.network is off]';
  expect(
    networkNotes('curl: (6) Could not resolve host: a.test', { network: 'off', failures: [], failed: true }),
  ).toEqual([note]);
});
