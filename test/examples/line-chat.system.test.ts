/** Tests the example surface: a real program between a TCP client and a real kernel. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { held, says } from '../harness/story.ts';
import { exampleAt, startProgram } from './program.ts';

async function startLineChat(kernel: Pick<TestKernel, 'url'>, directory: string) {
  const config = join(directory, 'config.yaml');
  const module = { port: 0, database: join(directory, 'lines.sqlite') };
  writeFileSync(config, JSON.stringify({ kernel: { url: kernel.url, wait_secs: 10 }, module }), {
    mode: 0o600,
  });
  const program = startProgram(
    process.execPath,
    [exampleAt('line-chat/main.ts'), '--config', config],
    directory,
  );
  const port = () => Number(/on 127\.0\.0\.1:(\d+)/.exec(program.printed())?.[1] ?? 0);
  await expect.poll(port, { timeout: 30_000 }).toBeGreaterThan(0);
  return { program, port: port() };
}

async function enter(port: number, nick: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.on('data', chunk => (heard += chunk));
  const until = (wanted: RegExp) => expect.poll(() => heard, { timeout: 30_000 }).toMatch(wanted);
  const say = (line: string) => void socket.write(`${line}\n`);
  say(nick);
  await until(new RegExp(`hello ${nick}\n`));
  return { say, until, heard: () => heard, leave: () => socket.end() };
}

const setUp = async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const kernel = await kernelOf();
  return { kernel, directory: path };
};
const lastAsked = ({ upstream }: TestKernel) => JSON.stringify(upstream.requests.at(-1)?.body);

test('[MOD-10] [API-3] streams, quotes, persons, anchors and triage work in a surface over HTTP only', async () => {
  const { kernel, directory } = await setUp();
  const { api, upstream } = kernel;
  const { program, port } = await startLineChat(kernel, directory);
  const gate = held({ text: ' two' });
  upstream.next({ steps: [{ text: 'one' }, ...(gate.reply.steps ?? [])] });
  const ann = await enter(port, 'ann');
  ann.say('Count.');
  // The answer is streamed: its first word arrives while the model is still writing.
  await ann.until(/one$/);
  gate.go();
  await ann.until(/one two\n\[2 completed\]\n$/);
  const [chat] = (await api.get('/v1/chats?shelf=line-chat')).body.chats;
  expect(chat.title).toBe('ann on line-chat');

  upstream.next(says('That was mine.'));
  ann.say('>2 What is this?');
  await ann.until(/\[4 completed\]\n$/);
  expect(lastAsked(kernel)).toContain('one two');
  const items = await api.items(chat.id);
  expect(items.filter(item => item.kind === 'user_message')).toMatchObject([
    { text: 'Count.', sender: 'ann', master: false },
    { text: 'What is this?', sender: 'ann', quote: { ext_id: '2', text: 'one two' } },
  ]);
  const { turn_id } = items.at(-1)!;
  const turn = (await api.get(`/v1/chats/${chat.id}/turns/${turn_id}`)).body;
  expect(turn.anchor).toEqual({ chat_id: 1, message_id: 3, module: 'lines' });
  ann.say('>99 Nothing.');
  await ann.until(/there is no line 99\n$/);

  const { persons } = (await api.get('/v1/persons')).body;
  expect(persons).toMatchObject([
    { name: 'ann', external_ids: [{ surface: 'line-chat', external_id: 'ann' }] },
  ]);
  await expect
    .poll(async () => (await api.get('/v1/stats')).body.triage)
    .toMatchObject({ engaged: 2, responded: 2 });
  const bob = await enter(port, 'bob');
  bob.say('Hello.');
  await bob.until(/ok\n\[6 completed\]/);
  expect((await api.get('/v1/chats?shelf=line-chat')).body.chats).toHaveLength(2);
  expect(await program.stop()).toEqual([0, null]);
});

test('[MOD-10] /cancel stops the model, and keeps the text so far', async () => {
  const { kernel, directory } = await setUp();
  const { port } = await startLineChat(kernel, directory);
  const ann = await enter(port, 'ann');
  ann.say('/cancel');
  await ann.until(/nothing runs\n$/);
  kernel.upstream.next({ steps: [{ text: 'A long' }, ...(held().reply.steps ?? [])] });
  ann.say('Tell.');
  await ann.until(/A long$/);
  ann.say('/cancel');
  await ann.until(/A long\n\[2 cancelled\]\n$/);
});

test('[MOD-10] keeps nick and chat in its own database over a restart', async () => {
  const { kernel, directory } = await setUp();
  const first = await startLineChat(kernel, directory);
  const ann = await enter(first.port, 'ann');
  ann.say('Remember me.');
  await ann.until(/\[2 completed\]/);
  await first.program.stop();
  const { port } = await startLineChat(kernel, directory);
  const again = await enter(port, 'ann');
  again.say('>1 Who am I?');
  await again.until(/\[4 completed\]/);
  expect((await kernel.api.get('/v1/chats?shelf=line-chat')).body.chats).toHaveLength(1);
  expect(lastAsked(kernel)).toContain('Remember me.');
});
