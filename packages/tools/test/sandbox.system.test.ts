/** Tests commands in the real bubblewrap; on a system without it, or that refuses it, the error message. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { shell } from '../src/shell.ts';
import { bubblewrapWorks } from './bubblewrap.ts';
import { runs, until, type Workplace, workplace } from './workplace.ts';

afterEach(() => vi.unstubAllEnvs());

const sh = (place: Workplace, forbidden: string[], ...commands: string[]) =>
  shellOn('off', place, forbidden, ...commands);
const shellOn = (network: 'on' | 'off', place: Workplace, forbidden: string[], ...commands: string[]) =>
  shellWith(new MachinePaths(forbidden), network).run({ commands }, place.context);
const shellWith = (paths: MachinePaths, network: 'on' | 'off') =>
  shell({
    paths,
    sandbox: new Sandbox({ sandbox: 'bwrap', network }, paths),
    timeout_secs: 20,
    environment: { PATH: process.env.PATH },
  });
const auto = () => new Sandbox({ sandbox: 'auto', network: 'on' }, new MachinePaths([]));

it('reports what to install on a system without bubblewrap', async () => {
  vi.stubEnv('PATH', workplace().path);
  const sandbox = auto();
  expect(await sandbox.problem()).toMatch(/^bubblewrap is not installed.*apt-get install bubblewrap/);
  // The information that the user got stays true while the kernel runs.
  vi.unstubAllEnvs();
  expect(await sandbox.kind()).toBe('none');
});

if (!bubblewrapWorks()) {
  process.stdout.write('bubblewrap is missing or refused here: its sandbox is not tested\n');
  it('reports a system that blocks bubblewrap', async () => {
    expect(await auto().problem()).toMatch(/^bubblewrap /);
    expect(await auto().kind()).toBe('none');
  });
} else {
  it('starts the sandbox', async () => {
    expect(await auto().problem()).toBeNull();
    expect(await auto().kind()).toBe('bwrap');
  });

  it('allows writes only in the working directory and its own /tmp', async () => {
    const place = workplace();
    const outside = workplace();
    const { output } = await sh(
      place,
      [],
      'echo mine > a.txt && cat a.txt',
      `echo x > ${outside.path}/x`,
      'echo x > /etc/x',
      'echo own > /tmp/own && cat /tmp/own',
      'cat /tmp/own',
    );
    expect(place.read('a.txt')).toBe('mine\n');
    expect(existsSync(join(outside.path, 'x'))).toBe(false);
    const answers = output.split('\n\n').map(section => section.split('\n').slice(1).join('\n'));
    expect(answers).toEqual([
      'mine',
      expect.stringMatching(/\[exit code 1\]$/),
      expect.stringMatching(/Read-only file system\n\[exit code 1\]$/),
      'own',
      expect.stringMatching(
        /\[exit code 1\]\n\[sandbox: only the working directory and \/tmp can be written\]$/,
      ),
    ]);
  });

  it('[CONSENT-7] git in the sandbox starts no program that a repository names', async () => {
    const place = workplace();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place.path });
    git('init', '-q');
    place.write('a.txt', 'one\n');
    git('add', 'a.txt');
    place.write('a.txt', 'two\n');
    git('config', 'core.fsmonitor', 'touch fsmonitor-ran; false');
    git('config', 'diff.external', 'touch diff-ran; true');
    const { output } = await sh(place, [], 'git status --short', 'git diff', 'git var GIT_PAGER');
    expect(output).toContain('AM a.txt');
    expect(output).toContain('+two');
    expect(output).toMatch(/== git var GIT_PAGER\ncat$/);
    expect(readdirSync(place.path).sort()).toEqual(['.git', 'a.txt']);
  });

  it('hides the files of the kernel, even inside the working directory', async () => {
    const place = workplace();
    const data = join(place.path, 'data');
    mkdirSync(data);
    place.write('data/secret', 'hidden');
    const settings = place.write('settings.yaml', 'hidden');
    const { output } = await sh(
      place,
      [data, settings],
      'ls data; cat data/* settings.yaml; echo new > data/new; echo new > settings.yaml',
      `cat /proc/${process.pid}/environ`,
    );
    expect(output).not.toContain('hidden\n');
    expect(output).toContain('No such file');
    expect([place.read('data/secret'), place.read('settings.yaml')]).toEqual(['hidden', 'hidden']);
    expect(existsSync(join(data, 'new'))).toBe(false);
  });

  it('allows reading uploaded files inside a hidden directory, but not writing them', async () => {
    const place = workplace();
    const kernel = workplace();
    mkdirSync(join(kernel.path, 'files'));
    kernel.write('files/a.txt', 'uploaded');
    kernel.write('key', 'hidden');
    const paths = new MachinePaths([kernel.path], [join(kernel.path, 'files'), join(kernel.path, 'none')]);
    const { output } = await shellWith(paths, 'off').run(
      { commands: [`cd ${kernel.path}; cat files/a.txt; ls; echo new > files/a.txt`] },
      place.context,
    );
    expect(output).toMatch(/uploadedfiles\n.*Read-only file system/s);
    expect(kernel.read('files/a.txt')).toBe('uploaded');
  });

  it('[WHO-7] prevents creating missing protected paths, and moving their directories', async () => {
    const place = workplace();
    const settings = join(place.path, '.config/chat-kernel');
    const { output } = await sh(
      place,
      [settings],
      'mkdir -p .config/chat-kernel; echo x > .config/chat-kernel/config.yaml',
      'mv .config other',
      'rm -r .config/chat-kernel',
      'umount .config/chat-kernel && echo undone',
      'echo x > .config/other && cat .config/other',
    );
    expect(readdirSync(settings)).toEqual([]);
    expect(existsSync(join(place.path, 'other'))).toBe(false);
    expect(output).toMatch(/config.yaml: Read-only file system.*mv: .* busy.*rm: .* busy/s);
    expect(output).not.toMatch(/^undone$/m);
    expect(output).toMatch(/\nx\n\[sandbox: .*\]$/);
  });

  it('[WHO-7] runs nothing if a command could change a link to the files of the kernel', async () => {
    const place = workplace();
    const elsewhere = workplace();
    symlinkSync(elsewhere.path, join(place.path, '.config'));
    const settings = [join(place.path, '.config/chat-kernel')];
    expect((await sh(place, settings, 'touch ran')).output).toBe(
      `In the sandbox nothing runs in ${place.path}: ${place.path}/.config is a link that leads to what belongs to the kernel. Set a working directory below.`,
    );
    expect(existsSync(join(place.path, 'ran'))).toBe(false);
    // From outside the sandbox such a link cannot be changed.
    expect((await sh(workplace(), settings, 'echo ran')).output).toBe('== echo ran\nran');
  });

  it.each(['off', 'on'] as const)('[WHO-7] blocks this machine with the network %s', async network => {
    const server = createServer(socket => socket.end('reached\n')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const place = workplace();
    const command = `cat < /dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}`;
    expect((await shellOn(network, place, [], command)).output).toMatch(/refused|unreachable/);
  });

  it('[WHO-7] hides sockets of services in /run', async () => {
    const place = workplace();
    const { output } = await sh(place, [], 'ls /run; find /run -type s');
    expect(output).toMatch(/^== ls [^\n]*(\n(current-system|wrappers|systemd|resolvconf))*\n?$/);
  });

  it.each([
    'off',
    'on',
  ] as const)('leaves no process of a stopped call with the network %s, even outside its session', async network => {
    const place = workplace();
    const marker = `6${process.pid}.5`;
    const running = shellOn(network, place, [], `setsid sleep ${marker} & sleep 0.3; touch ready; wait`);
    await until(() => existsSync(join(place.path, 'ready')));
    const pid = Number(execFileSync('pgrep', ['-f', '-x', `sleep ${marker}`], { encoding: 'utf8' }));
    expect(runs(pid)).toBe(true);
    place.abort();
    await expect(running).rejects.toThrow('stopped');
    await until(() => !runs(pid));
  });
}
