/** Tests commands on the owner's own machine in the real bubblewrap, and their environment (CONSENT-9). */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { type NodeHandsOptions, nodeHands } from '../src/node/index.ts';
import { ownCommands } from '../src/shell/own-commands.ts';

afterEach(() => vi.unstubAllEnvs());

const run = (command: string, options: NodeHandsOptions, workdir = '.') =>
  nodeHands(options).shell({ command, workdir }, { signal: new AbortController().signal, progress() {} });
const AUTO = () => ownCommands({ sandbox: 'auto', env: [] });
const directory = () => realpathSync(directoryOfTest());

describe('[CONSENT-9] commands of hands', () => {
  it('get allowed variables only, with the sandbox none too', async () => {
    vi.stubEnv('CHAT_KERNEL_TOKEN', 'hidden-1');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hidden-2');
    vi.stubEnv('MY_TOOL', 'visible');
    const { output } = await run('env', {
      workdir: directory(),
      ...ownCommands({ sandbox: 'none', env: ['MY_TOOL', 'CHAT_KERNEL_TOKEN', 'NOT_SET'] }),
    });
    expect(output).not.toMatch(/hidden-\d|NOT_SET/);
    expect(output).toContain('MY_TOOL=visible\n');
    expect(output).toMatch(/^PATH=/m);
  });

  it('run without a sandbox where none works', async () => {
    const workdir = directory();
    vi.stubEnv('PATH', workdir);
    const outside = directory();
    await run(`echo x > ${outside}/x`, { workdir, ...AUTO() });
    expect(existsSync(join(outside, 'x'))).toBe(true);
  });
});

describe.skipIf(!bubblewrapWorks())('[CONSENT-9] commands of hands in the sandbox', () => {
  it('write only in the working directory and the allowed ones, also from a directory below', async () => {
    const [workdir, other, outside] = [directory(), directory(), directory()];
    mkdirSync(join(workdir, 'sub'));
    const options = { workdir, within: [workdir, other], ...AUTO() };
    const { output, exit_code } = await run(`echo x > ../a; pwd; echo x > ${outside}/x`, options, 'sub');
    expect(exit_code).not.toBe(0);
    expect([existsSync(join(workdir, 'a')), existsSync(join(outside, 'x'))]).toEqual([true, false]);
    expect(output.split('\n')[0]).toBe(join(workdir, 'sub'));
    await run('echo x > b', options, other);
    expect(existsSync(join(other, 'b'))).toBe(true);
    // With all files allowed, a command writes where it starts.
    const all = await run(
      'echo x > c; echo x > /etc/chat-kernel-test',
      { ...options, within: ['/'] },
      outside,
    );
    expect([existsSync(join(outside, 'c')), existsSync('/etc/chat-kernel-test')]).toEqual([true, false]);
    expect(all.output).toMatch(/\n\[sandbox: only the working directory and \/tmp can be written\]\n$/);
  });

  it('leave the sandbox if the operation says so', async () => {
    const [workdir, outside] = [directory(), directory()];
    const hands = nodeHands({ workdir, ...AUTO() });
    const context = { signal: new AbortController().signal, progress() {} };
    const command = `echo x > ${outside}/x`;
    expect((await hands.shell({ command }, context)).exit_code).not.toBe(0);
    const ran = await hands.shell({ command, outside_sandbox: 'It writes elsewhere.' }, context);
    expect([ran, existsSync(join(outside, 'x'))]).toEqual([{ output: '', exit_code: 0 }, true]);
  });

  it('see no secrets and reach no port of this machine, and the result says so', async () => {
    const workdir = directory();
    writeFileSync(join(workdir, '.env'), 'hidden-1');
    const server = createServer(socket => socket.end('reached\n')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { output, exit_code } = await run(
      `cat .env; bash -c 'cat < /dev/tcp/127.0.0.1/${port}'; echo $HTTP_PROXY; exit 3`,
      { workdir, ...AUTO() },
    );
    expect(exit_code).toBe(3);
    expect(output).not.toMatch(/hidden-1|reached/);
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    expect(output).toMatch(
      /\n\[sandbox: hidden: \.env\]\n\[sandbox: ports of this machine are unreachable, .*\]\n$/,
    );
  });

  it('end with their timeout, with all of their processes', async () => {
    const workdir = directory();
    const marker = `7${process.pid}.5`;
    const shell = nodeHands({ workdir, ...AUTO() }).shell(
      { command: `setsid sleep ${marker} & touch ready; wait`, timeout_secs: 2 },
      { signal: new AbortController().signal, progress() {} },
    );
    expect(await shell).toMatchObject({ exit_code: 124 });
    expect(existsSync(join(workdir, 'ready'))).toBe(true);
    await expect.poll(() => processes(marker)).toBe('');
  });
});

function processes(marker: string): string {
  try {
    return execFileSync('pgrep', ['-f', '-x', `sleep ${marker}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function bubblewrapWorks(): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
