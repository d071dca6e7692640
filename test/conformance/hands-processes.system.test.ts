/** Tests stand-by machines as users have them: real processes, an unreliable network, sleep, crashes. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CutProxy, startCutProxy } from '../harness/cut-proxy.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type HandsProcess, startHands } from '../harness/hands-process.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const WAIT = { timeout: 60_000 };
const upstream = await startUpstream();
afterAll(() => upstream.close());

/** The data of the kernel, the home of the laptop, and its working directory. */
let dataDir: string;
let home: string;
let work: string;
let kernel: KernelProcess;
let proxy: CutProxy;
const laptops: HandsProcess[] = [];

const start = () =>
  startKernelProcess({ upstream, dataDir, settings: { requests: { hands_wait_secs: 20 } } });
beforeEach(async () => {
  dataDir = directoryOfTest();
  home = realpathSync(directoryOfTest());
  work = realpathSync(directoryOfTest());
  kernel = await start();
  proxy = await startCutProxy(kernel.url);
});
afterEach(async () => {
  for (const laptop of laptops.splice(0)) {
    laptop.signal('SIGKILL');
    await laptop.ended;
  }
  await proxy.close();
  await kernel.stop();
});

async function laptop(name = 'laptop', url = proxy.url, at = home): Promise<HandsProcess> {
  const process = startHands(['--name', name, '--url', url, '--allow', work], at);
  laptops.push(process);
  await isHere(true, name);
  return process;
}
const listed = async (name: string) =>
  (await kernel.client.listHands()).hands.find(each => each.name === name);
const isHere = (here: boolean, name = 'laptop') =>
  expect.poll(async () => (await listed(name))?.here ?? false, WAIT).toBe(here);

/** Runs a turn of a phone in a chat of this machine and allows its command. */
async function run(command: string, name = 'laptop') {
  const { client } = kernel;
  const chat = (await client.createChat({ workdir: work, hands: name })).id;
  upstream.next(calls('c', 'shell', { commands: [command] }));
  const turn = await client.begin(chat, { text: 'Go.' });
  const { id } = await turn.until('consent_request');
  await client.answerRequest(chat, { id, decision: 'allow' });
  return { chat, turn };
}
type Run = Awaited<ReturnType<typeof run>>;
const output = async ({ turn }: Run) => eventsOf(await turn.all(), 'tool_result').map(one => one.output);
const file = (name: string) => join(work, name);
const appears = (name: string) => expect.poll(() => existsSync(file(name)), WAIT).toBe(true);
/** A command that logs each run, and ends when the test allows it. */
const HELD = 'echo ran >> log; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo finished';
const times = () => readFileSync(file('log'), 'utf8').trim().split('\n').length;
const go = () => writeFileSync(file('go'), '');

describe('[HANDS-5] chat-kernel hands', () => {
  test('[HANDS-6] runs allowed commands of remote chats only in its folders, prints one line, and exits cleanly on SIGTERM', async () => {
    const process = await laptop();
    expect(await output(await run('echo one; pwd'))).toEqual([`== echo one; pwd\none\n${work}`]);
    expect(process.said()).toBe(`laptop connected to ${proxy.url}; folders: ${work}\n`);

    // An approval does not change that.
    const { client } = kernel;
    const chat = (await client.createChat({ workdir: home, hands: 'laptop' })).id;
    upstream.next(calls('c', 'write_file', { path: 'out.txt', content: 'x' }));
    const turn = await client.begin(chat, { text: 'Go.' });
    const { id } = await turn.until('consent_request');
    await client.answerRequest(chat, { id, decision: 'allow' });
    const [said] = await output({ chat, turn });
    expect(said).toContain('is out of reach: this client may touch files in');
    expect(existsSync(join(home, 'out.txt'))).toBe(false);
    process.signal('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    await isHere(false);
  });

  test('requires a unique name for each laptop, and reports a name in use and a second process clearly', async () => {
    const other = realpathSync(directoryOfTest());
    await laptop();
    await laptop('tower', proxy.url, other);
    expect(await output(await run('echo here > who; echo a', 'tower'))).toEqual([
      '== echo here > who; echo a\na',
    ]);
    const taken = startHands(['--name', 'laptop', '--url', proxy.url, '--allow', work], other);
    expect(await taken.ended).toEqual({ code: 4, signal: null });
    expect(taken.said()).toBe(
      'chat-kernel hands: The name laptop belongs to another machine. Choose another --name, or remove that machine on the page /machines.\n',
    );
    const twice = startHands(['--name', 'laptop', '--url', proxy.url, '--allow', work], home);
    expect(await twice.ended).toEqual({ code: 2, signal: null });
    expect(twice.said()).toBe(
      'chat-kernel hands: laptop is already connected by another process of yours.\n',
    );
    await isHere(true);
  });
});

describe('[HANDS-4] an unreliable network', () => {
  test('runs a command once over several cuts of the connection, and delivers the result after the reconnect', async () => {
    const process = await laptop();
    const running = await run(HELD);
    await appears('begun');
    for (let cut = 0; cut < 2; cut++) {
      proxy.cut();
      await isHere(false);
      if (cut === 1) go();
      proxy.restore();
      await isHere(true);
    }
    expect(await output(running)).toEqual([`== ${HELD}\nfinished`]);
    expect(times()).toBe(1);
    expect(process.said().split('\n').length).toBeLessThan(10);
  });

  test('runs a command once that was sent during suspend, also if the connection was cut then', async () => {
    const process = await laptop();
    process.signal('SIGSTOP');
    const running = await run('echo ran >> log; echo awake');
    process.signal('SIGCONT');
    expect(await output(running)).toEqual(['== echo ran >> log; echo awake\nawake']);
    expect(times()).toBe(1);

    process.signal('SIGSTOP');
    proxy.cut();
    await isHere(false);
    const later = await run('echo ran >> log; echo again');
    proxy.restore();
    process.signal('SIGCONT');
    expect(await output(later)).toEqual(['== echo ran >> log; echo again\nagain']);
    expect(times()).toBe(2);
  });

  test('ends the operation after kill -9 when the machine returns, and runs nothing twice', async () => {
    const process = await laptop();
    const running = await run(HELD);
    await appears('begun');
    process.signal('SIGKILL');
    await process.ended;
    await isHere(false);
    await laptop();
    const [said] = await output(running);
    expect(said).toContain('The machine laptop reconnected without this operation');
    expect(times()).toBe(1);
    go();
  });

  test('[TURN-11] closes the turn and stops the command when the kernel is killed, and accepts the machine again', async () => {
    await laptop();
    const running = await run(HELD);
    await appears('begun');
    const before = await listed('laptop');
    running.turn.all().catch(() => {});
    await kernel.kill();
    kernel = await start();
    proxy.restore(kernel.url);
    await isHere(true);
    expect((await listed('laptop'))?.client_id).toBe(before?.client_id);
    const { items } = await kernel.client.listItems(running.chat, {});
    expect(items.find(({ kind }) => kind === 'tool_call')).toMatchObject({ status: 'aborted' });
    expect((await kernel.client.listRequests()).requests).toEqual([]);
    // The next command runs: the machine is not busy with an abandoned operation.
    expect(await output(await run('echo next'))).toEqual(['== echo next\nnext']);
    expect(times()).toBe(1);
    go();
  });
});
