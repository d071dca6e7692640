/**
 * Tests undo of file edits on machines of clients: connected hands, stand-by hands, and older ones that store nothing.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HandsRunner, KernelClient, type Operation, standBy } from '@chat-kernel/client';
import { DeletedChats, nodeHands } from '@chat-kernel/hands';
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

const kernel = sharedKernel();

/** A client with hands that follows the requests of all chats as a terminal does. */
async function clientWithHands({
  keeps = true,
  state = directoryOfTest(),
  workdir = directoryOfTest(),
} = {}) {
  const client = new KernelClient({ url: kernel.url });
  const asked: Operation[] = [];
  const decision = { now: 'allow' as 'allow' | 'deny' };
  const runner = new HandsRunner(client, {
    hands: nodeHands({ workdir, ...(keeps && { undo: { directory: join(state, 'undo') } }) }),
    approve: operation => {
      asked.push(operation);
      return decision.now;
    },
  });
  const leaving = new AbortController();
  const opened = Promise.withResolvers<void>();
  const following = (async () => {
    const onConnection = ({ state }: { state: string }) => state === 'open' && opened.resolve();
    for await (const event of client.events({ signal: leaving.signal, onConnection })) {
      if (event.type === 'request_opened') await runner.catchUp(event.request.chat_id);
    }
  })().catch(() => {});
  await opened.promise;
  onTestFinished(async () => {
    leaving.abort();
    runner.close();
    await following;
  });
  return { client, runner, asked, decision, workdir, state, at: (name: string) => join(workdir, name) };
}

let count = 0;
const write = (path: string, content: string) => calls(`h${count++}`, 'write_file', { path, content });

test("[UNDO-1] [UNDO-2] [UNDO-3] stores files before a client writes them, and restores them after the user's approval", async () => {
  const { client, runner, asked, decision, workdir, at } = await clientWithHands();
  writeFileSync(at('a.sh'), 'before');
  chmodSync(at('a.sh'), 0o700);
  const { id } = await client.createChat({ workdir, workdir_on: 'client' });
  kernel.upstream.next(
    write('a.sh', 'after'),
    calls('e', 'edit_file', { path: 'a.sh', old: 'after', new: 'later' }),
    write('new.txt', 'new'),
    says('Done.'),
  );
  const stream = client.turn(id, { text: 'Go.', ...runner.turnFields });
  for await (const event of stream) runner.take(id, event);
  const { message_id } = await stream.started;
  expect(readFileSync(at('a.sh'), 'utf8')).toBe('later');

  asked.length = 0;
  const files = [
    { path: at('a.sh'), action: 'restore', changed_since: false, machine: 'client' },
    { path: at('new.txt'), action: 'delete', changed_since: false, machine: 'client' },
  ];
  expect(await client.rewindFiles(id, message_id, { files: 'preview' })).toEqual({ files, not_undone: [] });
  // A preview needs no decision.
  expect(asked).toEqual([]);

  decision.now = 'deny';
  await expect(client.rewindFiles(id, message_id, { files: 'restore' })).rejects.toMatchObject({
    code: 'files_stuck',
    detail: expect.stringContaining('The user declined this operation.'),
  });
  expect(asked).toMatchObject([{ action: 'undo', params: { mode: 'restore' } }]);
  expect(readFileSync(at('a.sh'), 'utf8')).toBe('later');

  decision.now = 'allow';
  writeFileSync(at('new.txt'), 'owner');
  await expect(client.rewindFiles(id, message_id, { files: 'restore' })).rejects.toMatchObject({
    code: 'files_changed',
    detail: expect.stringContaining(at('new.txt')),
  });
  writeFileSync(at('new.txt'), 'new');
  expect(await client.rewindFiles(id, message_id, { files: 'restore' })).toMatchObject({
    files,
    not_undone: [],
  });
  expect(readFileSync(at('a.sh'), 'utf8')).toBe('before');
  expect(statSync(at('a.sh')).mode & 0o777).toBe(0o700);
  expect(existsSync(at('new.txt'))).toBe(false);
});

test('[UNDO-1] [UNDO-3] removes undo data from a client with its chat, while it is connected or when it returns', async () => {
  const directory = join(directoryOfTest(), 'undo');
  const workdir = directoryOfTest();
  const client = new KernelClient({ url: kernel.url });
  const hands = (url: string) => nodeHands({ workdir, undo: { directory, kernel: url } });
  const written = async (url = kernel.url) => {
    const { id } = await client.createChat({});
    const context = { chat_id: id, op_id: `${id}-1`, signal: AbortSignal.timeout(60_000), progress() {} };
    await hands(url).write({ path: 'a.txt', content: 'x' }, context);
    return id;
  };
  const kept = () => readdirSync(directory).map(name => name.replace(/\.git$/, ''));
  const [followed, missed, stays] = [await written(), await written(), await written()];
  const elsewhere = await written('http://127.0.0.1:1');
  expect(kept().sort()).toEqual([followed, missed, stays, elsewhere].sort());

  await client.deleteChat(missed);
  await client.deleteChat(elsewhere);
  const chats = new DeletedChats(client, { directory });
  const leaving = new AbortController();
  const following = chats.follow(leaving.signal);
  await expect.poll(() => kept().sort(), { timeout: 60_000 }).toEqual([followed, stays, elsewhere].sort());
  await client.deleteChat(followed);
  await expect.poll(() => kept().sort(), { timeout: 60_000 }).toEqual([stays, elsewhere].sort());
  leaving.abort();
  await following;
});

test('[UNDO-3] restores what another process of the machine has written through the client that requests it', async () => {
  const first = await clientWithHands();
  const { workdir, state, at } = first;
  const { id } = await first.client.createChat({ workdir, workdir_on: 'client' });
  kernel.upstream.next(write('a.txt', 'a'), says('Done.'));
  const stream = first.client.turn(id, { text: 'Go.', ...first.runner.turnFields });
  for await (const event of stream) first.runner.take(id, event);
  const { message_id } = await stream.started;
  first.runner.close();
  const second = await clientWithHands({ state, workdir });
  const { client_id } = second.runner;
  await second.client.rewindFiles(id, message_id, { files: 'restore', client_id });
  expect(existsSync(at('a.txt'))).toBe(false);
});

test('[UNDO-3] reports that an older client cannot restore, and ignores an edit that the user denied', async () => {
  const { client, runner, decision, workdir, at } = await clientWithHands({ keeps: false });
  const { id } = await client.createChat({ workdir, workdir_on: 'client' });
  const say = async () => {
    kernel.upstream.next(write('a.txt', 'a'), says('Done.'));
    const stream = client.turn(id, { text: 'Go.', ...runner.turnFields });
    for await (const event of stream) runner.take(id, event);
    return (await stream.started).message_id;
  };
  const message = await say();
  expect((await client.rewindFiles(id, message, { files: 'preview' })).files).toEqual([
    {
      path: at('a.txt'),
      action: 'not_kept',
      changed_since: false,
      error: 'The client of this machine does not support undo.',
      machine: 'client',
    },
  ]);
  decision.now = 'deny';
  const refused = await say();
  expect((await client.rewindFiles(id, refused, { files: 'preview' })).files).toEqual([]);
});

test('[UNDO-1] [UNDO-2] [UNDO-3] [HANDS-3] stores and restores files on a connected machine, and names the machine if it is disconnected', async () => {
  const workdir = directoryOfTest();
  const state = directoryOfTest();
  const client = new KernelClient({ url: kernel.url });
  const here = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const standing = standBy({
    client,
    name: 'laptop',
    client_id: 'laptop-1',
    hands: nodeHands({ workdir, undo: { directory: join(state, 'undo') } }),
    signal: leaving.signal,
    onConnection: ({ state }) => state === 'open' && here.resolve(),
  });
  await here.promise;
  const { id } = await client.createChat({ workdir, workdir_on: 'client', hands: 'laptop', consent: 'auto' });
  writeFileSync(join(workdir, 'a.txt'), 'before');
  kernel.upstream.next(write('a.txt', 'after'), says('Done.'));
  const runner = new HandsRunner(client, { hands: {}, approve: () => 'allow', standby: true });
  const stream = client.turn(id, { text: 'Go.' });
  for await (const event of stream) runner.take(id, event);
  const { message_id } = await stream.started;
  expect(readFileSync(join(workdir, 'a.txt'), 'utf8')).toBe('after');
  const path = join(workdir, 'a.txt');
  const file = { path, action: 'restore', changed_since: false, machine: 'client', hands: 'laptop' };
  expect((await client.rewindFiles(id, message_id, { files: 'preview' })).files).toEqual([file]);
  await client.rewindFiles(id, message_id, { files: 'restore' });
  expect(readFileSync(path, 'utf8')).toBe('before');

  kernel.upstream.next(write('a.txt', 'after'), says('Done.'));
  const again = client.turn(id, { text: 'Go.' });
  for await (const event of again) runner.take(id, event);
  leaving.abort();
  await standing;
  await expect.poll(async () => (await client.listHands()).hands.map(each => each.here)).toEqual([false]);
  const second = (await again.started).message_id;
  const away = 'The machine laptop is not connected.';
  expect((await client.rewindFiles(id, second, { files: 'preview' })).files).toEqual([
    { ...file, error: away },
  ]);
  await expect(client.rewindFiles(id, second, { files: 'restore' })).rejects.toMatchObject({
    status: 409,
    code: 'files_stuck',
    detail: `Nothing was rewound. ${path}: ${away}`,
  });
  runner.close();
});
