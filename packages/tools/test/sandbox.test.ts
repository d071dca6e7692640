/** Commands behind the real bubblewrap; on a system without it, or that refuses it, the sentence that says so. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { MachinePaths } from '../src/machine/machine-path.ts';
import { sandboxProblem } from '../src/shell/sandbox.ts';
import { shell } from '../src/shell.ts';
import { runs, until, type Workplace, workplace } from './workplace.ts';

afterEach(() => vi.unstubAllEnvs());

const sh = (place: Workplace, forbidden: string[], ...commands: string[]) =>
  shell({
    paths: new MachinePaths(forbidden),
    sandbox: 'bwrap',
    timeout_secs: 20,
    environment: { PATH: process.env.PATH },
  }).run({ commands }, place.context);

it('a system without bubblewrap gets a sentence that says what to install', async () => {
  vi.stubEnv('PATH', workplace().path);
  expect(await sandboxProblem([])).toMatch(/^bubblewrap is not installed.*apt-get install bubblewrap/);
});

if (!bubblewrapWorks()) {
  process.stdout.write('bubblewrap is missing or refused here: its sandbox is not tested\n');
  it('a system that refuses bubblewrap gets a sentence that says so', async () => {
    expect(await sandboxProblem([])).toMatch(/^bubblewrap /);
  });
} else {
  it('the sandbox can be made', async () => {
    expect(await sandboxProblem([])).toBeNull();
  });

  it('only the working directory and a /tmp of its own can be written', async () => {
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
      expect.stringMatching(/\[exit code 1\]$/),
    ]);
  });

  it('the kernel’s files cannot be seen, not even inside the working directory', async () => {
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

  it('uploaded files, inside of a hidden directory, can be read and not written', async () => {
    const place = workplace();
    const kernel = workplace();
    mkdirSync(join(kernel.path, 'files'));
    kernel.write('files/a.txt', 'uploaded');
    kernel.write('key', 'hidden');
    const { output } = await shell({
      paths: new MachinePaths([kernel.path], [join(kernel.path, 'files'), join(kernel.path, 'none')]),
      sandbox: 'bwrap',
      timeout_secs: 20,
      environment: { PATH: process.env.PATH },
    }).run({ commands: [`cd ${kernel.path}; cat files/a.txt; ls; echo new > files/a.txt`] }, place.context);
    expect(output).toMatch(/uploadedfiles\n.*Read-only file system/s);
    expect(kernel.read('files/a.txt')).toBe('uploaded');
  });

  it('a call that is stopped leaves no process in it, not even one that has left the session', async () => {
    const place = workplace();
    const marker = `6${process.pid}.5`;
    const running = sh(place, [], `setsid sleep ${marker} & sleep 0.3; touch ready; wait`);
    await until(() => existsSync(join(place.path, 'ready')));
    const pid = Number(execFileSync('pgrep', ['-f', '-x', `sleep ${marker}`], { encoding: 'utf8' }));
    expect(runs(pid)).toBe(true);
    place.abort();
    await expect(running).rejects.toThrow('stopped');
    await until(() => !runs(pid));
  });
}

function bubblewrapWorks(): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
