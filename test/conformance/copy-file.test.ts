/** Tests the only files that a module gets for sending them: copies, made during a turn of the master. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { held } from '../harness/story.ts';

type Policy = Record<string, 'master' | 'off' | 'all'>;

/** A chat with a working directory on the machine of the kernel, and a turn that runs until the test ends. */
async function duringTurn(
  turn: object = {},
  { policy = {}, chat = {} }: { policy?: Policy; chat?: object } = {},
) {
  const kernel = await startKernel({ settings: { tools: { policy } } });
  const directory = directoryOfTest();
  const workdir = join(directory, 'work');
  mkdirSync(workdir, { recursive: true });
  writeFileSync(join(workdir, 'a.txt'), 'inside');
  writeFileSync(join(directory, 'b.txt'), 'outside');
  const { id } = await kernel.client.createChat({ workdir, workdir_on: 'server', ...chat });
  const { reply, go } = held({ text: 'Done.' });
  kernel.upstream.next(reply);
  const running = await kernel.client.begin(id, { text: 'Send it.', ...turn });
  onTestFinished(async () => {
    go();
    await running.all();
    await kernel.stop();
  });
  await expect.poll(() => kernel.upstream.requests.length, { timeout: 30_000 }).toBe(1);
  const copy = (path: string) => kernel.api.post(`/v1/chats/${id}/ops/copy_file`, { path });
  return { kernel, id, workdir, outside: join(directory, 'b.txt'), copy };
}

test('[CONSENT-14] copies a file of the working directory to the uploads, and returns an upload itself', async () => {
  const { kernel, workdir, copy } = await duringTurn();
  const copied = await copy('a.txt');
  expect(copied).toMatchObject({ status: 201, body: { name: 'a.txt', size: 6 } });
  writeFileSync(join(workdir, 'a.txt'), 'changed');
  expect(await (await kernel.client.getFile(copied.body.id)).text()).toBe('inside');
  expect((await copy(`file:${copied.body.id}`)).body).toEqual(copied.body);
  expect((await copy(join(workdir, 'a.txt'))).body).toMatchObject({ name: 'a.txt', size: 7 });
});

test('[CONSENT-14] copies nothing outside of the working directory, and follows no link out of it', async () => {
  const { workdir, outside, copy } = await duringTurn();
  symlinkSync(outside, join(workdir, 'link'));
  symlinkSync(dirname(outside), join(workdir, 'up'));
  for (const path of [outside, '../b.txt', 'link', 'up/b.txt', '/proc/version']) {
    expect(await copy(path), path).toMatchObject({ status: 403, body: { code: 'forbidden_path' } });
  }
  expect((await copy('none.txt')).status).toBe(404);
  expect((await copy('.')).status).toBe(400);
});

test.each<[string, object, Parameters<typeof duringTurn>[1]]>([
  ['a stranger', { sender: 'Eve' }, {}],
  ['a guest', { guest: true }, {}],
  ['a turn without a machine', { machine: 'none' }, {}],
  ['a master for whom the policy turns the tools for files off', {}, { policy: { files: 'off' } }],
  [
    'a chat that disables the tools for files',
    {},
    { chat: { toolset: { loaded: [], disabled: ['files'] } } },
  ],
])('[CONSENT-14] copies nothing for %s', async (_, turn, options) => {
  const { copy } = await duringTurn(turn, options);
  expect(await copy('a.txt')).toMatchObject({ status: 403, body: { code: 'forbidden_path' } });
});

test('[CONSENT-14] copies nothing without a turn', async () => {
  const kernel = await kernelOf();
  const workdir = directoryOfTest();
  mkdirSync(workdir, { recursive: true });
  writeFileSync(join(workdir, 'a.txt'), 'inside');
  const { id } = await kernel.client.createChat({ workdir, workdir_on: 'server' });
  const answer = await kernel.api.post(`/v1/chats/${id}/ops/copy_file`, { path: 'a.txt' });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_path' } });
});
