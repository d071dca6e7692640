/** The terminal's own record of what its owner allowed (HANDS-6). */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@chat-kernel/client';
import { expect, it, onTestFinished } from 'vitest';
import { type OwnClient, ownClient } from '../src/machine/own-client.ts';

const KERNEL = 'http://127.0.0.1:8787';
const shell = (command: string): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action: 'shell',
  params: { command },
});

function home(): { open: () => OwnClient; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'own-client-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    open() {
      const own = ownClient({ XDG_STATE_HOME: path });
      onTestFinished(() => own.close());
      return own;
    },
  };
}

it('[HANDS-6] what is allowed for always counts after the next start, for this kernel, directory and command alone', () => {
  const { open } = home();
  const first = open();
  first.record(KERNEL, '/a').give({ decision: 'allow_always' }, shell('make'));
  first.record(KERNEL, '/a').give({ decision: 'allow_session' }, shell('ls'));
  expect(first.record(KERNEL, '/a').covers(shell('ls'))).toBe(true);
  first.close();
  const next = open();
  expect(next.client_id).toBe(first.client_id);
  const covers = (kernel: string, directory: string, command: string) =>
    next.record(kernel, directory).covers(shell(command));
  expect(covers(KERNEL, '/a', 'make')).toBe(true);
  expect(covers(KERNEL, '/a', 'make ')).toBe(false);
  expect(covers(KERNEL, '/b', 'make')).toBe(false);
  expect(covers('http://127.0.0.1:1', '/a', 'make')).toBe(false);
  expect(covers(KERNEL, '/a', 'ls')).toBe(false);
});

it('[HANDS-6] [EV-15] two terminals at once are two clients, and the first one is itself again afterwards', () => {
  const { open, path } = home();
  const [one, two] = [open(), open()];
  expect(two.client_id).not.toBe(one.client_id);
  one.close();
  expect(open().client_id).toBe(one.client_id);
  expect(statSync(join(path, 'chat-kernel', 'terminals')).mode & 0o777).toBe(0o700);
});
