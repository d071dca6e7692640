/** Tests questions that depend on the working directory: on entering another one, and on having none without a sandbox. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { namesIn } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

afterEach(() => vi.unstubAllEnvs());

let directory: string;
let project: string;
beforeEach(() => {
  directory = realpathSync(directoryOfTest());
  project = join(directory, 'project');
  for (const each of ['project/sub', 'other/deep']) mkdirSync(join(directory, each), { recursive: true });
});

/** Runs a turn with one call; answers its request for consent, if it makes one. */
async function turnWith(
  { client, upstream }: TestKernel,
  chat: string,
  [name, input]: readonly [name: string, input: Record<string, unknown>],
  decision = 'allow',
) {
  upstream.next(calls('c', name, input), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true });
  const first = await Promise.race([turn.until('consent_request'), turn.until('done')]);
  const asked = first.type === 'consent_request' ? first : undefined;
  if (asked !== undefined) await client.answerRequest(chat, { id: asked.id, decision });
  const [result] = eventsOf(await turn.all(), 'tool_result');
  return { asked, output: result?.output };
}

const enter = (path: string) => ['workdir', { path }] as const;
const RUN = ['shell', { commands: ['pwd'] }] as const;
const WRITE = ['write_file', { path: 'a.txt', content: 'x' }] as const;

test('[CONSENT-8] the model enters directories below the working directory, and asks before it enters others', async () => {
  const kernel = await kernelOf();
  const { client } = kernel;
  const { id } = await client.createChat({ workdir: project, workdir_on: 'server' });
  expect((await turnWith(kernel, id, enter('sub'))).asked).toBeUndefined();
  const denied = await turnWith(kernel, id, enter('..'), 'deny');
  expect(denied).toMatchObject({
    asked: {
      action: 'workdir',
      path: project,
      hands: null,
      decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
      reason: 'This directory is outside of the working directory.',
    },
    output: 'The user declined this operation.',
  });
  expect((await client.getChat(id)).workdir).toBe(join(project, 'sub'));
  expect((await turnWith(kernel, id, enter(join(directory, 'other')), 'allow_always')).asked).toBeDefined();
  expect((await turnWith(kernel, id, enter(project))).asked).toBeDefined();
  expect((await turnWith(kernel, id, enter(join(directory, 'other/deep')))).asked).toBeUndefined();
  expect((await client.getChat(id)).workdir).toBe(join(directory, 'other/deep'));
  await client.patchChat(id, { consent: 'never' });
  expect(await turnWith(kernel, id, enter('/'))).toMatchObject({
    asked: undefined,
    output: 'The working directory is now /.',
  });
});

test('[CONSENT-8] without a working directory, any directory outside of its own asks', async () => {
  const kernel = await kernelOf();
  const { id } = await kernel.client.createChat();
  expect((await turnWith(kernel, id, enter(project))).asked).toBeDefined();
});

/** A kernel on a system where no sandbox works. */
async function unconfined(): Promise<TestKernel> {
  vi.stubEnv('PATH', directory);
  return kernelOf({ settings: { tools: { shell: { sandbox: 'auto' } } } });
}

test('[CONSENT-8] without a sandbox, commands and changes ask in each chat without a working directory', async () => {
  const kernel = await unconfined();
  const { client } = kernel;
  const reason = 'No sandbox works on this computer, and you have not set a working directory.';
  const { id } = await client.createChat();
  const run = await turnWith(kernel, id, RUN, 'deny');
  expect(run.asked).toMatchObject({ action: 'shell', sandbox: 'none', reason });
  expect((await turnWith(kernel, id, WRITE)).asked).toMatchObject({ action: 'write', reason });
  expect((await turnWith(kernel, id, ['read_file', { files: [{ path: 'a.txt' }] }])).asked).toBeUndefined();
  mkdirSync(join(`${run.asked?.workdir}`, 'sub'));
  expect((await turnWith(kernel, id, enter('sub'))).asked).toBeUndefined();
  expect((await turnWith(kernel, id, RUN)).asked).toMatchObject({ reason });
  expect((await turnWith(kernel, id, WRITE)).asked).toMatchObject({ reason });
  await client.setWorkdir(id, { workdir: project, workdir_on: 'server' });
  expect((await turnWith(kernel, id, RUN)).asked).toBeUndefined();
  expect((await turnWith(kernel, id, WRITE)).asked).toBeUndefined();
  const free = (await client.createChat({ consent: 'never' })).id;
  expect((await turnWith(kernel, free, RUN)).asked).toBeUndefined();
});

test('[CONSENT-8] a fresh chat is offered the same tools with and without a sandbox', async () => {
  const offered = async (kernel: TestKernel) => {
    const { id } = await kernel.client.createChat();
    await kernel.client.say(id, 'Hi.');
    return namesIn(kernel.upstream.requests.at(-1));
  };
  const usual = await offered(await kernelOf({ settings: { tools: { shell: { sandbox: 'auto' } } } }));
  expect(usual).toEqual(expect.arrayContaining(['shell', 'write_file', 'edit_file', 'workdir']));
  expect(await offered(await unconfined())).toEqual(usual);
});

test('[CONSENT-8] the list of tools says that no sandbox works, unless the settings ask for none', async () => {
  const { client } = await unconfined();
  expect((await client.listTools()).no_sandbox).toMatch(/^bubblewrap is not installed/);
  expect(await (await kernelOf()).client.listTools()).not.toHaveProperty('no_sandbox');
});

test('[CONSENT-8] a start removes scratch directories of chats that another kernel has deleted', async () => {
  const dataDir = join(directory, 'data');
  const first = await startKernel({ dataDir });
  const { id } = await first.client.createChat({ consent: 'never' });
  await turnWith(first, id, WRITE);
  await first.stop();
  const deleted = join(dataDir, 'scratch/0f0e0d0c-0000-4000-8000-000000000000');
  mkdirSync(join(deleted, 'src'), { recursive: true });
  const second = await kernelOf({ dataDir });
  await expect.poll(() => existsSync(deleted)).toBe(false);
  expect(existsSync(join(dataDir, 'scratch', id, 'a.txt'))).toBe(true);
  expect((await turnWith(second, id, ['read_file', { files: [{ path: 'a.txt' }] }])).output).toContain('x');
});
