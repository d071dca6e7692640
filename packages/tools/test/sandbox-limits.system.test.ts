/** Tests in the real bubblewrap that commands reach no Unix socket of this machine, and have limits. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shell } from '../src/shell.ts';
import { bubblewrapWorks } from './bubblewrap.ts';
import { type Workplace, workplace } from './workplace.ts';

if (!bubblewrapWorks())
  process.stdout.write('bubblewrap is missing or refused here: its limits are not tested\n');

async function sh(place: Workplace, network: 'on' | 'off', ...commands: string[]): Promise<string> {
  const paths = new MachinePaths([]);
  const sandbox = new Sandbox({ sandbox: 'bwrap', network }, paths);
  const tool = shell({ paths, sandbox, timeout_secs: 60, environment: { PATH: process.env.PATH } });
  return (await tool.run({ commands }, place.context)).output;
}

describe.skipIf(!bubblewrapWorks())('in the sandbox', () => {
  it('[CONSENT-6] Unix sockets are unreachable, and programs can talk to their child processes', async () => {
    const place = workplace();
    const server = createServer(socket => socket.end('reached')).listen(join(place.path, 'service.sock'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    place.write('connect.js', "require('net').connect('service.sock').pipe(process.stdout)");
    place.write('listen.js', "require('net').createServer().listen('own.sock')");
    place.write(
      'fork.js',
      "if (process.send) process.send('talked'); else require('child_process').fork(__filename).on('message', text => console.log(text))",
    );
    const node = process.execPath;
    const output = await sh(place, 'on', `${node} connect.js`, `${node} listen.js`, `${node} fork.js`);
    expect(output).not.toContain('reached');
    expect(output.match(/EAFNOSUPPORT/g)?.length).toBeGreaterThanOrEqual(2);
    expect(output).toContain('\ntalked\n');
    expect(output).toMatch(/\[sandbox: Unix sockets are blocked; use addresses such as 127\.0\.0\.1\]$/);
  });

  it('[CONSENT-6] a command has no descriptor of the kernel', async () => {
    const output = await sh(workplace(), 'on', 'ls -l /proc/self/fd');
    expect(output).toContain(' 1 -> pipe:');
    expect(output).not.toContain('socket:');
    expect(output).not.toMatch(/ [59] -> /);
  });

  it.each([
    'on',
    'off',
  ] as const)('[CONSENT-6] processes, open files and memory have limits with the network %s', async network => {
    const output = await sh(
      workplace(),
      network,
      'ulimit -u; ulimit -Hn; ulimit -c; cat /proc/self/oom_score_adj; echo end',
    );
    const [processes, files, ...others] = output.split('\n').slice(1);
    expect(Number(processes)).toBeLessThanOrEqual(4096);
    expect(Number(files)).toBeLessThanOrEqual(65_536);
    expect(others).toEqual(['0', '500', 'end']);
  });
});
