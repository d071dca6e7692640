/** The module as a process between a fake Bot API and a real kernel. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { programAt } from '../../../test/harness/program.ts';
import { FakeBotApi, TOKEN } from './bot-api/server.ts';
import type { Shown } from './bot-api/shown.ts';
import { type DeafProxy, startDeafProxy } from './deaf-proxy.ts';

const MAIN = programAt('modules/telegram/main.ts');
export const ANN = { id: 7, first_name: 'Ann' };
export const BOB = { id: 8, first_name: 'Bob' };
export const GROUP = { id: -100_123, type: 'supergroup', title: 'Friends' };
/** The timeout of waits for conditions. */
const PATIENCE = { timeout: 60_000, interval: 20 };

export const eventually = (condition: () => void | Promise<void>): Promise<void> =>
  expect
    .poll(async () => {
      try {
        await condition();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    }, PATIENCE)
    .toBeUndefined();

interface Program {
  child: ChildProcess;
  /** The output of the program so far, of both streams. */
  printed(): string;
}

interface World {
  kernel: TestKernel;
  api: FakeBotApi;
  /** Between module and kernel. */
  line: DeafProxy;
  /** Starts the module; returns its process. */
  start(): Program;
  /** The messages of the bot in a chat. */
  said(chatId?: number): string[];
  shown(chatId?: number): Shown[];
  /** The stored states of the messages of the module, the oldest first. */
  outbox(): string[];
  /** The updates that the module will confirm. */
  noted(): string[];
  /** Changes the database of a stopped module. */
  edit(sql: string): void;
  /** Waits until the bot has sent this text. */
  hears(text: string | RegExp, chatId?: number): Promise<Shown>;
}

/**
 * Starts a kernel and a Bot API, and writes the settings of a module that Ann owns.
 * @param onEnd runs a function at the end; by default, of the test
 */
export async function worldOf(
  module: object = {},
  options: KernelOptions = {},
  onEnd: (end: () => unknown) => void = end => onTestFinished(async () => void (await end())),
): Promise<World> {
  const { path, remove } = temporaryDirectory();
  onEnd(remove);
  const kernel = await startKernel(options);
  onEnd(() => kernel.stop());
  const line = await startDeafProxy(kernel.url);
  onEnd(() => line.close());
  const api = new FakeBotApi();
  const api_url = await api.start();
  onEnd(() => api.stop());
  mkdirSync(path, { recursive: true });
  const config = join(path, 'telegram.yaml');
  const own = { token: TOKEN, owner: [ANN.id], groups: [GROUP.id], api_url, poll_secs: 20, ...module };
  // A module with tools needs a socket, although no kernel calls this one.
  const socket = join(path, 'telegram.sock');
  writeFileSync(config, JSON.stringify({ kernel: { url: line.url, wait_secs: 20 }, socket, module: own }), {
    mode: 0o600,
  });
  const read = (sql: string) => {
    const database = new DatabaseSync(join(path, 'data/telegram.sqlite'), { readOnly: true });
    try {
      return database
        .prepare(sql)
        .all()
        .map(({ value }) => String(value));
    } finally {
      database.close();
    }
  };
  const shown = (chatId: number = ANN.id) => api.shown.filter(({ chat_id }) => chat_id === chatId);
  const said = (chatId?: number) => shown(chatId).map(({ text }) => text);
  return {
    kernel,
    api,
    line,
    shown,
    said,
    outbox: () => read('SELECT state AS value FROM outgoing ORDER BY id'),
    noted: () => read('SELECT update_id AS value FROM seen'),
    edit(sql) {
      const database = new DatabaseSync(join(path, 'data/telegram.sqlite'));
      database.exec(sql);
      database.close();
    },
    start() {
      const child = spawn(process.execPath, [MAIN, '--config', config, '--data', join(path, 'data')], {
        cwd: path,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exit = once(child, 'exit');
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (printed += chunk));
      onEnd(async () => {
        child.kill('SIGKILL');
        await exit;
      });
      return { child, printed: () => printed };
    },
    async hears(text, chatId) {
      const found = () =>
        shown(chatId).find(each => (typeof text === 'string' ? each.text === text : text.test(each.text)));
      await eventually(() => expect(found(), `${JSON.stringify(said(chatId))} has ${text}`).toBeDefined());
      return found()!;
    },
  };
}

/**
 * A world that all tests of a file share, because it starts a kernel and the module. Each test has a new chat with Ann, and
 * sees only its own messages.
 */
export function sharedWorld(module: object = {}): () => World {
  const ends: (() => unknown)[] = [];
  let world: World;
  beforeAll(async () => {
    world = await worldOf(module, {}, end => ends.push(end));
    world.start();
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  beforeEach(async () => {
    const { api, kernel, hears } = world;
    api.forget();
    api.write(ANN, { text: '/new' });
    await hears(/^New chat started/);
    for (const list of [api.shown, api.calls, api.drafts, kernel.upstream.requests]) list.length = 0;
  });
  return () => world;
}

/** Kills the process without a shutdown. */
export async function kill({ child }: Pick<Program, 'child'>): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/**
 * Kills the module before it confirms its updates to Telegram, and restarts it. Updates that are delivered twice are answered
 * once.
 */
export async function killedBeforeItConfirms(
  { api, kernel, said, start }: World,
  first: Parameters<typeof kill>[0],
): Promise<void> {
  await kill(first);
  api.forget();
  start();
  await eventually(() => expect(api.unconfirmed).toBe(0));
  api.write(ANN, { text: 'Next.' });
  await eventually(() => expect(said()).toEqual(['ok', 'ok']));
  expect(kernel.upstream.requests).toHaveLength(2);
}
