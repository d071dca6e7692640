/**
 * Tests a rewind with files on several machines: all are checked before any is changed, and an error lists what was
 * restored.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hands, HandsRunner, KernelClient, standBy } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/hands';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ settings: { tools: { shell: { sandbox: 'none' } } } });
});
afterAll(() => kernel.stop());

interface StandsBy {
  name: string;
  workdir: string;
  file: string;
  text(): string;
  leave(): Promise<void>;
}

/** A stand-by machine with one file. @param undo replaces the one of its hands */
async function machine(name: string, undo?: (own: Hands['undo']) => Hands['undo']): Promise<StandsBy> {
  const workdir = directoryOfTest();
  const state = directoryOfTest();
  const hands = nodeHands({ workdir, undo: { directory: join(state, 'undo') } });
  const here = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const standing = standBy({
    client: new KernelClient({ url: kernel.url }),
    name,
    client_id: `id of ${name}`,
    hands: { ...hands, ...(undo && { undo: undo(hands.undo) }) },
    signal: leaving.signal,
    onConnection: ({ state }) => state === 'open' && here.resolve(),
  });
  await here.promise;
  const leave = async () => {
    leaving.abort();
    await standing;
  };
  onTestFinished(leave);
  const file = join(workdir, 'a.txt');
  writeFileSync(file, 'before');
  return { name, workdir, file, text: () => readFileSync(file, 'utf8'), leave };
}

let count = 0;
/** Creates a chat in which a turn writes the file of each machine in order; returns its id and the first message. */
async function writtenOn(...machines: StandsBy[]) {
  const client = new KernelClient({ url: kernel.url });
  const [{ workdir, name }] = machines as [StandsBy];
  const { id } = await client.createChat({ workdir, workdir_on: 'client', hands: name, consent: 'auto' });
  const runner = new HandsRunner(client, { hands: {}, approve: () => 'allow', standby: true });
  onTestFinished(() => runner.close());
  const messages: string[] = [];
  for (const { workdir, name, text } of machines) {
    await client.setWorkdir(id, { workdir, workdir_on: 'client', hands: name });
    kernel.upstream.next(
      calls(`m${count++}`, 'write_file', { path: 'a.txt', content: 'after' }),
      says('Done.'),
    );
    const stream = client.turn(id, { text: 'Go.' });
    for await (const event of stream) runner.take(id, event);
    messages.push((await stream.started).message_id);
    expect(text()).toBe('after');
  }
  const restore = () => client.rewindFiles(id, messages[0] as string, { files: 'restore' });
  return { client, id, restore };
}

const fileOf = ({ file, name }: StandsBy) => ({
  path: file,
  action: 'restore',
  changed_since: false,
  machine: 'client',
  hands: name,
});

test('[UNDO-2] [UNDO-3] names a disconnected machine, and writes nothing on any', async () => {
  const [laptop, desk] = [await machine('laptop'), await machine('desk')];
  const { client, id, restore } = await writtenOn(laptop, desk);
  await desk.leave();
  await expect
    .poll(async () => (await client.listHands()).hands.find(({ name }) => name === 'desk')?.here)
    .toBe(false);
  const before = (await client.listMessages(id)).messages.length;
  await expect(restore()).rejects.toMatchObject({
    status: 409,
    code: 'files_stuck',
    detail: `Nothing was rewound. ${desk.file}: The machine desk is not connected.`,
  });
  expect([laptop.text(), desk.text()]).toEqual(['after', 'after']);
  expect((await client.listMessages(id)).messages).toHaveLength(before);
});

test('[UNDO-2] [UNDO-3] reports what was restored if the second machine fails, and can be repeated', async () => {
  let fails = true;
  const laptop = await machine('notebook');
  const desk = await machine('tower', own => (params, context) => {
    if (params.mode === 'restore' && fails) throw new Error('the disk is full');
    return own!(params, context);
  });
  const { client, id, restore } = await writtenOn(laptop, desk);
  const before = (await client.listMessages(id)).messages.length;
  const { messages } = await client.listMessages(id);
  const { status, body } = await kernel.api.post(`/v1/chats/${id}/messages/${messages[0]!.id}/rewind`, {
    files: 'restore',
  });
  expect([status, body.code, body.detail, body.files]).toEqual([
    409,
    'files_stuck',
    `Nothing was rewound. ${desk.file}: the disk is full Already restored: ${laptop.file} on notebook.`,
    [
      { ...fileOf(laptop), restored: true },
      { ...fileOf(desk), error: 'the disk is full', restored: false },
    ],
  ]);
  expect([laptop.text(), desk.text()]).toEqual(['before', 'after']);
  expect((await client.listMessages(id)).messages).toHaveLength(before);

  fails = false;
  expect((await restore()).files).toEqual([{ ...fileOf(laptop), action: 'unchanged' }, fileOf(desk)]);
  expect([laptop.text(), desk.text()]).toEqual(['before', 'before']);
});

test('[UNDO-2] [UNDO-3] names a machine whose file changes at the last moment, and leaves later machines unchanged', async () => {
  const workdir = directoryOfTest();
  const own = join(workdir, 'own.txt');
  const changing = await machine('changing', undo => async (params, context) => {
    if (params.mode === 'restore') writeFileSync(changing.file, 'owner');
    return undo!(params, context);
  });
  const { client, id, restore } = await writtenOn(changing);
  await client.setWorkdir(id, { workdir, workdir_on: 'server' });
  kernel.upstream.next(
    calls(`m${count++}`, 'write_file', { path: 'own.txt', content: 'new' }),
    says('Done.'),
  );
  await kernel.client.say(id, 'Go.');
  await expect(restore()).rejects.toMatchObject({
    code: 'files_changed',
    detail: `Changed after the chat wrote them: ${changing.file}. Nothing was restored and nothing rewound.`,
  });
  expect([changing.text(), readFileSync(own, 'utf8')]).toEqual(['owner', 'new']);
});
