/** Tests where settings are read, who may write there, and what a sandboxed tool can access (WHO-7). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const OUT_OF_REACH = 'This path is not allowed: it belongs to the kernel.';

/** Sends a message, after which the model makes these calls in order; returns the results that it read. */
async function outputs(
  { client, upstream }: Pick<TestKernel, 'client' | 'upstream'>,
  workdir: string,
  ...made: [name: string, input: Record<string, unknown>][]
) {
  const chat = await client.createChat({ workdir, workdir_on: 'server' });
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  return eventsOf(events, 'tool_result').map(({ output }) => output);
}

test('[WHO-7] ignores a settings file of the current folder, and reports that at the start', async () => {
  const home = directoryOfTest();
  const program = join(home, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${home}/obeyed\n`, { mode: 0o755 });
  const planted = { server: { port: 1 }, mcp: { servers: { evil: { command: program } } } };
  writeFileSync(join(home, 'chat-kernel.yaml'), JSON.stringify(planted));
  const notice =
    './chat-kernel.yaml is ignored, because the current folder may be untrusted. If it is yours, pass --config ' +
    `chat-kernel.yaml or move it to ${home}/.config/chat-kernel/config.yaml.`;

  const printed = await runCommand(['config'], home);
  expect(printed).toMatchObject({ out: expect.stringMatching(/^# no settings file\n/), err: `${notice}\n` });
  expect(printed.out).toContain('port: 8787');

  const kernel = await startKernelProcess({ home });
  onTestFinished(() => void kernel.stop());
  expect(kernel.log()).toContain(notice);
  const { tools } = await kernel.client.listTools();
  expect(tools.filter(({ name }) => name.startsWith('mcp'))).toEqual([]);
  expect(existsSync(join(home, 'obeyed'))).toBe(false);
});

test('[WHO-7] rejects writes of file tools to the settings folders, whether files exist there or not', async () => {
  const home = directoryOfTest();
  const workdir = join(home, 'project');
  mkdirSync(workdir);
  symlinkSync('../.config', join(workdir, 'link'));
  const kernel = await startKernelProcess({ home });
  onTestFinished(() => void kernel.stop());
  const folder = join(home, '.config/chat-kernel');
  const before = readFileSync(join(folder, 'config.yaml'), 'utf8');
  const ways = [
    '~/.config/chat-kernel/config.yaml',
    '~/.config/chat-kernel/new.yaml',
    'link/chat-kernel/config.yaml',
  ];
  const read = await outputs(
    kernel,
    workdir,
    ...ways.map(path => ['write_file', { path, content: '' }] as [string, Record<string, unknown>]),
    ['edit_file', { path: `${folder}/../chat-kernel/config.yaml`, old: 'server', new: 'sever' }],
    ['read_file', { files: [{ path: `${folder}/config.yaml` }] }],
  );
  expect(read).toEqual([
    ...ways.map(() => OUT_OF_REACH),
    OUT_OF_REACH,
    `== ${folder}/config.yaml\n${OUT_OF_REACH}`,
  ]);
  expect(readFileSync(join(folder, 'config.yaml'), 'utf8')).toBe(before);
  expect(readdirSync(folder)).toEqual(['config.yaml']);
});

test('[WHO-7] confines all tools in the sandbox to the working directory, without access to the kernel', async () => {
  const home = directoryOfTest();
  const workdir = join(home, 'project');
  mkdirSync(workdir);
  const kernel = await startKernel({ settings: { tools: { shell: { sandbox: 'bwrap' } } } }).catch(error => {
    // Some systems do not allow bubblewrap.
    expect(String(error)).toMatch(/tools\.shell\.sandbox: bubblewrap /);
  });
  if (kernel === undefined) return;
  onTestFinished(() => kernel.stop());
  writeFileSync(join(home, 'a'), 'one');
  const outside = (path: string) =>
    `${path} is outside of the working directory ${workdir}. The sandbox allows writing only there.`;
  const port = new URL(kernel.url).port;
  const read = await outputs(
    kernel,
    workdir,
    ['write_file', { path: '../a', content: '' }],
    ['edit_file', { path: `${home}/a`, old: 'one', new: 'two' }],
    ['write_file', { path: 'deep/b', content: 'mine' }],
    ['shell', { commands: [`echo two > ${home}/a`, 'echo two > /etc/chat-kernel-two'] }],
    ['shell', { commands: [`exec 3<>/dev/tcp/127.0.0.1/${port}`] }],
    ['shell', { commands: [`curl -sS --noproxy '' http://127.0.0.1:${port}/v1/chats`] }],
  );
  expect(read).toEqual([
    outside('../a'),
    outside(`${home}/a`),
    'Created deep/b (4 bytes).',
    expect.stringMatching(/\/etc\/chat-kernel-two: Read-only file system\n\[exit code 1\]\n\[sandbox: .*\]$/),
    expect.stringMatching(
      /\/dev\/tcp\/127\.0\.0\.1\/\d+: Connection refused\n\[exit code 1\]\n\[sandbox: ports of this machine are .*\]$/,
    ),
    expect.stringMatching(
      /^== curl .*\n127\.0\.0\.1 is this machine or in a private network: .*\n\[network: .*\]$/,
    ),
  ]);
  expect([readFileSync(join(home, 'a'), 'utf8'), readFileSync(join(workdir, 'deep/b'), 'utf8')]).toEqual([
    'one',
    'mine',
  ]);
});

test('[WHO-7] [WHO-6] uses a sandbox by default if one is available, and shows that in each approval', async () => {
  expect(Settings.parse({}).tools.shell).toMatchObject({ sandbox: 'auto', network: 'on' });
  const home = directoryOfTest();
  const workdir = join(home, 'project');
  mkdirSync(workdir);
  const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true']).status === 0;
  const kernel = await kernelOf({ settings: { tools: { shell: { sandbox: 'auto' } } } });
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir, workdir_on: 'server', consent: 'ask' });
  upstream.next(
    calls('s', 'shell', { commands: [`echo out > ${home}/out; echo in > in`] }),
    calls('w', 'write_file', { path: '../written', content: 'out' }),
    calls('e', 'write_file', { path: 'inside', content: 'in' }),
    says('Done.'),
  );
  const stream = await client.begin(chat.id, { text: 'Go.' }, event => {
    if (event.type === 'consent_request') {
      void client.answerRequest(chat.id, { id: event.id, decision: 'allow' });
    }
  });
  const asked = eventsOf(await stream.all(), 'consent_request').map(({ action, hands, sandbox }) => [
    action,
    hands,
    sandbox,
  ]);
  const write = ['write', null, works ? 'bwrap' : 'none'];
  // In the sandbox the kernel does not ask about impossible operations.
  expect(asked).toEqual([['shell', null, write[2]], ...(works ? [] : [write]), write]);
  expect(['out', 'written'].map(name => existsSync(join(home, name)))).toEqual([!works, !works]);
  expect(['in', 'inside'].map(name => readFileSync(join(workdir, name), 'utf8'))).toEqual(['in\n', 'in']);
});

test('[WHO-7] blocks hosts for commands by a sandbox, or refuses to start', async () => {
  const path = process.env.PATH;
  const without = async (shell: object) => {
    process.env.PATH = directoryOfTest();
    try {
      await (await startKernel({ settings: { tools: { shell } } })).stop();
    } finally {
      process.env.PATH = path;
    }
  };
  for (const network of ['off', ['example.org']]) {
    await expect(without({ sandbox: 'auto', network })).rejects.toThrow(
      /^tools\.shell\.network: limiting hosts requires a sandbox, and bubblewrap is not installed/,
    );
    await expect(without({ sandbox: 'none', network })).rejects.toThrow(
      'tools.shell.network: expected on: only a sandbox can block hosts, and tools.shell.sandbox is none',
    );
  }
  await without({ sandbox: 'auto' });
});
