/** The terminal's own record of what its owner allowed (HANDS-6). */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@chat-kernel/client';
import { expect, it, onTestFinished } from 'vitest';
import { type LocalClient, openClient } from '../src/machine/local-client.ts';

const KERNEL = 'http://127.0.0.1:8787';
const shell = (command: string): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action: 'shell',
  params: { command },
});

function home(): { open: () => LocalClient; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'own-client-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    open() {
      const own = openClient({ XDG_STATE_HOME: path });
      onTestFinished(() => own.close());
      return own;
    },
  };
}

it('[HANDS-6] keeps lasting approvals across starts, only for this kernel, directory and command', () => {
  const { open } = home();
  const first = open();
  first.record(KERNEL, '/a').give({ decision: 'allow_always' }, shell('make'));
  first.record(KERNEL, '/a').give({ decision: 'allow_session' }, shell('ls'));
  expect(first.record(KERNEL, '/a').covers(shell('ls'))).toBe(true);
  first.close();
  const next = open();
  expect(next.client_id).toBe(first.client_id);
  expect(next.secret).toBe(first.secret);
  expect(next.secret).toMatch(/^[\w-]{72}$/);
  expect(home().open().secret).not.toBe(first.secret);
  const covers = (kernel: string, directory: string, command: string) =>
    next.record(kernel, directory).covers(shell(command));
  expect(covers(KERNEL, '/a', 'make')).toBe(true);
  expect(covers(KERNEL, '/a', 'make ')).toBe(false);
  expect(covers(KERNEL, '/b', 'make')).toBe(false);
  expect(covers('http://127.0.0.1:1', '/a', 'make')).toBe(false);
  expect(covers(KERNEL, '/a', 'ls')).toBe(false);
});

it('[HANDS-6] asks again after an unknown stored decision, also after a restart', () => {
  const { open } = home();
  const first = open();
  first.record(KERNEL, '/a').give({ decision: 'allow_for_now' as 'allow_always' }, shell('make'));
  expect(first.record(KERNEL, '/a').covers(shell('make'))).toBe(false);
  first.close();
  expect(open().record(KERNEL, '/a').covers(shell('make'))).toBe(false);
});

it('[CONSENT-7] says whether only a prefix covers a command, and covers no option that starts programs', () => {
  const record = home().open().record(KERNEL, '/a');
  record.give({ decision: 'allow_prefix', prefix: 'git diff' }, shell('git diff'));
  record.give({ decision: 'allow_always' }, shell('git diff --ext-diff'));
  const covered = (command: string) => [
    record.covers(shell(command)),
    record.coversByPrefix?.(shell(command)),
  ];
  expect(covered('git diff --stat')).toEqual([true, true]);
  expect(covered('git diff --ext-diff')).toEqual([true, false]);
  expect(covered('git diff --output=x')).toEqual([false, false]);
});

it('[HANDS-6] [EV-15] gives two simultaneous terminals two client ids, and reuses the first id afterwards', () => {
  const { open, path } = home();
  const [one, two] = [open(), open()];
  expect(two.client_id).not.toBe(one.client_id);
  one.close();
  expect(open().client_id).toBe(one.client_id);
  expect(statSync(join(path, 'chat-kernel', 'terminals')).mode & 0o777).toBe(0o700);
});
