/** A kernel that is killed and started again, and one that is not there yet. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import { freePort } from '../../../../test/harness/free-port.ts';
import { PATIENT } from '../../../../test/harness/patient.ts';
import { type KernelProcess, startKernelProcess } from '../../../../test/harness/process.ts';
import { calls, says, stuck } from '../../../../test/harness/story.ts';
import { startUpstream, type Upstream } from '../../../../test/upstream/server.ts';
import { type Relay, startRelay } from './relay.ts';
import { decide, idle, READY } from './sessions.ts';
import { KEY, Terminal } from './terminal.ts';

let upstream: Upstream;
let relay: Relay;
let directory: ReturnType<typeof temporaryDirectory>;
let terminal: Terminal;
let kernels: KernelProcess[] = [];
beforeEach(async () => {
  upstream = await startUpstream();
  relay = await startRelay();
  directory = temporaryDirectory();
});
afterEach(async () => {
  await terminal.close();
  await Promise.all(kernels.map(each => each.kill()));
  kernels = [];
  await relay.close();
  await upstream.close();
  directory.remove();
});
const open = (more = {}) =>
  new Terminal({ url: relay.url, workdir: directory.path, home: directory.path, columns: 100, ...more });

/** Starts a kernel behind the relay, with the data of the one before. */
async function start(): Promise<KernelProcess> {
  const kernel = await startKernelProcess({ upstream, dataDir: join(directory.path, 'data') });
  kernels.push(kernel);
  relay.target(kernel.url);
  return kernel;
}

it('stays open if the kernel is killed during a turn, and reconnects', PATIENT, async () => {
  const kernel = await start();
  terminal = open();
  await terminal.sees(READY);
  upstream.next(stuck({ text: 'Half of an answ' }));
  await terminal.say('Tell me.');
  await terminal.sees(/Half of an answ[\s\S]*Esc to stop/);
  relay.target(null);
  await kernel.kill();
  await terminal.sees('disconnected; retrying in');
  // A message sent while disconnected is delivered after reconnecting.
  upstream.next(says('I am back.'));
  await terminal.say('Still there?');
  await terminal.sees('Your message will be sent after reconnecting.');
  await start();
  await terminal.sees(lines => lines.includes('I am back.') && idle(lines));
  const screen = terminal.screen();
  expect(screen.filter(line => line.startsWith('▌'))).toEqual(['▌ Tell me.', '▌ Still there?']);
  expect(screen).toContain(
    '[restarted] The kernel stopped during this turn; what was unfinished was closed.',
  );
  expect(screen.join('\n')).not.toContain('retrying');
});

it('closes the dialog of a lost turn without an effect', PATIENT, async () => {
  const kernel = await start();
  terminal = open();
  await terminal.sees(READY);
  upstream.next(calls('x1', 'shell', { commands: ['touch made.txt'] }));
  await terminal.say('Make a file.');
  await terminal.sees('Esc deny');
  relay.target(null);
  await kernel.kill();
  await terminal.sees('; retrying in');
  // The owner allows an operation that no kernel waits for.
  await decide(terminal, 'y');
  await terminal.sees(/No server is responding[\s\S]*Esc deny/);
  await start();
  await terminal.sees(lines => !lines.some(line => line.includes('No server is responding')));
  await terminal.sees(
    lines => lines.some(line => line.startsWith('[restarted]')) && lines.includes(`› ${READY}`),
  );
  expect(existsSync(join(directory.path, 'made.txt'))).toBe(false);
});

it('keeps a first message that no kernel accepted in the input, and exits on SIGTERM then', async () => {
  const kernel = await start();
  terminal = open();
  await terminal.sees(READY);
  relay.target(null);
  await kernel.kill();
  await terminal.sees('; retrying in');
  await terminal.say('Hello, anybody?');
  await terminal.sees(/No server is responding at [\s\S]*› Hello, anybody\?/);
  terminal.signal('SIGTERM');
  expect(await terminal.exited).toBe(143);
});

it('offers to start a kernel if none runs, and starts it', async () => {
  const settings = join(directory.path, 'settings.yaml');
  writeFileSync(
    settings,
    JSON.stringify({
      data_dir: join(directory.path, 'data'),
      titles: { enabled: false },
      llm: { default_model: 'demo/demo', providers: { demo: { kind: 'demo' } } },
    }),
  );
  terminal = open({ url: `http://127.0.0.1:${await freePort()}`, startable: settings });
  await terminal.sees(/No server is responding at http:\S+\. Start one\? \[Y\/n\]/);
  terminal.write(KEY.enter);
  await terminal.sees(READY);
  const pid = Number(/\[kernel (\d+)\]/.exec(terminal.bytes)?.[1]);
  try {
    await terminal.sees('demo/');
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

it('exits if no kernel answers and the user does not start one', async () => {
  terminal = open({ startable: '/nowhere' });
  await terminal.sees('Start one? [Y/n]');
  terminal.write('n\r');
  expect(await terminal.exited).toBe(3);
});

it('exits with its window, also without a reachable kernel and with an open dialog', async () => {
  const kernel = await start();
  terminal = open({ words: ['chat', '--url', relay.url] });
  await terminal.sees(READY);
  upstream.next(calls('x1', 'shell', { commands: ['touch made.txt'] }));
  await terminal.say('Make a file.');
  await terminal.sees('Esc deny');
  relay.target(null);
  await kernel.kill();
  await terminal.sees('; retrying in');
  terminal.hangUp();
  await expect.poll(() => isAlive(terminal.pid), { timeout: 20_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
