/** Machines that stand by as people have them: real processes, a network that comes and goes, sleep, crashes. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { type CutProxy, startCutProxy } from '../harness/cut-proxy.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type HandsProcess, startHands } from '../harness/hands-process.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const WAIT = { timeout: 60_000 };
const upstream = await startUpstream();
afterAll(() => upstream.close());

/** The kernel's owner's data, the laptop's home, and a directory of its work. */
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

/** A turn of a phone in a chat of this machine, whose command is allowed. */
async function run(command: string, name = 'laptop') {
  const { client } = kernel;
  const chat = (await client.createChat({ workdir: work, hands: name })).id;
  upstream.next(calls('c', 'shell', { commands: [command] }));
  const turn = await client.begin(chat, { text: 'Go.' });
  const { id } = await turn.until('client_op');
  await client.answerRequest(chat, { id, decision: 'allow' });
  return { chat, turn };
}
type Run = Awaited<ReturnType<typeof run>>;
const output = async ({ turn }: Run) => eventsOf(await turn.all(), 'tool_result').map(one => one.output);
const file = (name: string) => join(work, name);
const appears = (name: string) => expect.poll(() => existsSync(file(name)), WAIT).toBe(true);
/** A command that says each time that it runs, and ends when the test lets it. */
const HELD = 'echo ran >> log; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo finished';
const times = () => readFileSync(file('log'), 'utf8').trim().split('\n').length;
const go = () => writeFileSync(file('go'), '');

describe('[HANDS-5] chat-kernel hands', () => {
  test('does what was allowed elsewhere, says one line, and SIGTERM ends it well', async () => {
    const process = await laptop();
    expect(await output(await run('echo one; pwd'))).toEqual([`== echo one; pwd\none\n${work}`]);
    expect(process.said()).toBe(`laptop stands by for ${proxy.url}, in ${work}\n`);
    process.signal('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    await isHere(false);
  });

  test('[HANDS-6] reaches the allowed folders alone, whatever was consented to', async () => {
    await laptop();
    const { client } = kernel;
    const chat = (await client.createChat({ workdir: home, hands: 'laptop' })).id;
    upstream.next(calls('c', 'write_file', { path: 'out.txt', content: 'x' }));
    const turn = await client.begin(chat, { text: 'Go.' });
    const { id } = await turn.until('client_op');
    await client.answerRequest(chat, { id, decision: 'allow' });
    const [said] = await output({ chat, turn });
    expect(said).toContain('is out of reach: this client may touch files in');
    expect(existsSync(join(home, 'out.txt'))).toBe(false);
  });

  test('two laptops have a name each; a taken name, and a second process, are said clearly', async () => {
    const other = realpathSync(directoryOfTest());
    await laptop();
    await laptop('tower', proxy.url, other);
    expect(await output(await run('echo here > who; echo a', 'tower'))).toEqual([
      '== echo here > who; echo a\na',
    ]);
    const taken = startHands(['--name', 'laptop', '--url', proxy.url, '--allow', work], other);
    expect(await taken.ended).toEqual({ code: 4, signal: null });
    expect(taken.said()).toBe(
      'chat-kernel hands: the name laptop belongs to another machine: choose another --name, or forget that machine on the page /machines\n',
    );
    const twice = startHands(['--name', 'laptop', '--url', proxy.url, '--allow', work], home);
    expect(await twice.ended).toEqual({ code: 2, signal: null });
    expect(twice.said()).toBe(
      'chat-kernel hands: laptop stands by already: another process of yours does it\n',
    );
    await isHere(true);
  });

  test.each([
    [['--name', ''], '--name is what chats call this machine, such as --name laptop\n'],
    [['--name', 'a', '--allow', '/nowhere/at/all'], '--allow /nowhere/at/all: there is no such folder\n'],
    [
      ['--name', 'a', '--url', 'ftp://x'],
      'chat-kernel: --url ftp://x is no address: it begins with http:// or https://\n',
    ],
  ])('a wrong option is a sentence: %j', async (words, sentence) => {
    const { err, code } = await runCommand(['hands', '--url', kernel.url, ...words], home);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('--install writes a service and says how to start it; --uninstall removes it', async () => {
    const words = ['--name', 'my "50%" box', '--url', kernel.url];
    const { out, code } = await runCommand(['hands', ...words, '--allow', work, '--install'], home);
    expect(code).toBe(0);
    if (process.platform !== 'linux') return;
    const unit = join(home, '.config/systemd/user/chat-kernel-hands-my-50-box.service');
    expect(out).toBe(
      `Wrote ${unit}. Start it with:\n  systemctl --user daemon-reload && systemctl --user enable --now chat-kernel-hands-my-50-box.service\n`,
    );
    const text = readFileSync(unit, 'utf8');
    expect(text).toContain(
      `"hands" "--name" "my \\"50%%\\" box" "--url" "${kernel.url}" "--allow" "${work}"`,
    );
    expect(text).toContain('RestartPreventExitStatus=2 4');
    const removed = await runCommand(['hands', ...words, '--uninstall'], home);
    expect(removed.out).toContain(`Removed ${unit}.`);
    expect(existsSync(unit)).toBe(false);
  });
});

describe('[HANDS-4] a network that comes and goes', () => {
  test('a cut line: the command goes on, runs once, and its result arrives when the network is back', async () => {
    await laptop();
    const running = await run(HELD);
    await appears('begun');
    proxy.cut();
    await isHere(false);
    go();
    proxy.restore();
    expect(await output(running)).toEqual([`== ${HELD}\nfinished`]);
    expect(times()).toBe(1);
    await isHere(true);
  });

  test('a line that is cut and back while the command runs: it is not sent again', async () => {
    const process = await laptop();
    const running = await run(HELD);
    await appears('begun');
    for (let cut = 0; cut < 3; cut++) {
      proxy.cut();
      await isHere(false);
      proxy.restore();
      await isHere(true);
    }
    go();
    expect(await output(running)).toEqual([`== ${HELD}\nfinished`]);
    expect(times()).toBe(1);
    expect(process.said().split('\n').length).toBeLessThan(10);
  });

  test('asleep, and awake again: what was asked meanwhile is done once', async () => {
    const process = await laptop();
    process.signal('SIGSTOP');
    const running = await run('echo ran >> log; echo awake');
    process.signal('SIGCONT');
    expect(await output(running)).toEqual(['== echo ran >> log; echo awake\nawake']);
    expect(times()).toBe(1);
  });

  test('asleep with its line cut: what was never sent it gets once it is awake', async () => {
    const process = await laptop();
    process.signal('SIGSTOP');
    proxy.cut();
    await isHere(false);
    const running = await run('echo ran >> log; echo awake');
    proxy.restore();
    process.signal('SIGCONT');
    expect(await output(running)).toEqual(['== echo ran >> log; echo awake\nawake']);
    expect(times()).toBe(1);
  });

  test('kill -9 of the hands: the operation ends when they are back, and nothing runs twice', async () => {
    const process = await laptop();
    const running = await run(HELD);
    await appears('begun');
    process.signal('SIGKILL');
    await process.ended;
    await isHere(false);
    await laptop();
    const [said] = await output(running);
    expect(said).toContain('The machine laptop lost its connection and came back without this operation');
    expect(times()).toBe(1);
    go();
  });

  test('[TURN-11] the kernel is killed in mid-command: the turn is closed, the command is stopped, the machine comes back', async () => {
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
    // The next command runs: the machine is at nothing that nobody waits for.
    expect(await output(await run('echo next'))).toEqual(['== echo next\nnext']);
    expect(times()).toBe(1);
    go();
  });
});
