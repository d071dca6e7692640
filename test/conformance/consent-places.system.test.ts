/** Tests what grants for the kernel's own machine do not do: cover dotfiles at home, and start programs of a repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});
afterEach(() => vi.unstubAllEnvs());

/** Starts a kernel and a chat that asks in the working directory. */
async function asking() {
  const kernel = await kernelOf();
  const { id } = await kernel.client.createChat({ consent: 'ask', workdir, workdir_on: 'server' });
  return {
    call: (name: string, input: Record<string, unknown>, answer: object = { decision: 'allow' }) =>
      turnWith(kernel, id, [name, input], answer),
  };
}

/** Runs a turn with one call; answers its request for consent, if it makes one. */
async function turnWith(
  { client, upstream }: TestKernel,
  chat: string,
  [name, input]: readonly [name: string, input: Record<string, unknown>],
  answer: object,
) {
  upstream.next(calls('c', name, input), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true });
  const first = await Promise.race([turn.until('consent_request'), turn.until('done')]);
  const asked = first.type === 'consent_request' ? first : undefined;
  if (asked !== undefined) await client.answerRequest(chat, { id: asked.id, ...answer });
  const [result] = eventsOf(await turn.all(), 'tool_result');
  return { asked, output: result?.output };
}

test('[CONSENT-6] allow_edits covers no name with a dot if the working directory is a home directory', async () => {
  vi.stubEnv('HOME', workdir);
  const { call } = await asking();
  const write = (path: string, decision?: string) =>
    call('write_file', { path, content: 'x' }, { decision: decision ?? 'allow' });
  expect((await write('a.txt', 'allow_edits')).asked?.decisions).toContain('allow_edits');
  expect((await write('src/b.txt')).asked).toBeUndefined();
  for (const path of ['.tool', '.config/tool/settings', 'src/.tool']) {
    const { asked } = await write(path);
    expect(asked?.decisions).toEqual(['allow', 'allow_session', 'allow_always', 'deny']);
  }
});

/** Makes a repository whose file system monitor leaves a file. */
function makeRepository(): { wasRun: () => boolean } {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: workdir });
  const mark = join(workdir, '.git', 'mark');
  git('init', '-q');
  const program = join(workdir, 'monitor');
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
  git('config', 'core.fsmonitor', program);
  mkdirSync(join(workdir, 'src'));
  return {
    wasRun() {
      const found = existsSync(mark);
      rmSync(mark, { force: true });
      return found;
    },
  };
}

test('[CONSENT-7] git on the machine of the kernel starts no program of a repository if only a prefix covers it', async () => {
  const { wasRun } = makeRepository();
  const { call } = await asking();
  const shell = (command: string, answer?: object) => call('shell', { commands: [command] }, answer);
  await shell('git status --short', { decision: 'allow' });
  expect(wasRun()).toBe(true);
  await shell('git status --short', { decision: 'allow_prefix', prefix: 'git status' });
  expect(wasRun()).toBe(false);
  expect(await shell('git status')).toMatchObject({
    asked: undefined,
    output: expect.stringContaining('monitor'),
  });
  expect(wasRun()).toBe(false);
});

test('[CONSENT-7] git on the machine of the kernel is as usual if its exact words are allowed, or no rule asks', async () => {
  const { wasRun } = makeRepository();
  const { call } = await asking();
  const shell = (command: string, answer?: object) => call('shell', { commands: [command] }, answer);
  await shell('git status', { decision: 'allow_always' });
  expect(wasRun()).toBe(true);
  await shell('git status --short', { decision: 'allow_prefix', prefix: 'git status' });
  expect(wasRun()).toBe(false);
  expect((await shell('git status')).asked).toBeUndefined();
  expect(wasRun()).toBe(true);
  const kernel = await kernelOf();
  const { id } = await kernel.client.createChat({ consent: 'auto', workdir, workdir_on: 'server' });
  await turnWith(kernel, id, ['shell', { commands: ['git status'] }], {});
  expect(wasRun()).toBe(true);
});
