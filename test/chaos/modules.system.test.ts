/**
 * Tests modules that are killed, hang, flood, or are replaced while twenty turns use them: the kernel returns one result
 * for every call, and survives.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Event } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { becomes, moduleOf, started, tool } from '../harness/modules.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { startUpstream, type Upstream, type UpstreamScript } from '../upstream/server.ts';
import { megabytes, memoryFrom, peakMemory } from './memory.ts';

const TURNS = 20;
/** Bytes that a flood may add to the memory of the kernel; the flood itself is ten times as large. */
const LIMIT = 150e6;
/** How much longer calls may take during a flood: it takes processor time, but no call waits for its end. */
const SLOWED = 5;
const MARKER = `chaos-${randomUUID()}`;
/** Whether processes can be found by their arguments. */
const noProc = process.platform !== 'linux' && !process.env.REQUIRE_ALL;
if (noProc) process.stderr.write('The chaos of modules is skipped: it needs the /proc of Linux.\n');

const TOOLS = ['wait', 'flood', 'garbage', 'huge', 'lie', 'child'].map(name =>
  tool(name, { timeout_secs: 3 }),
);
const PARROT = { name: 'parrot', about: MARKER, tools: TOOLS };
/** Modules that harm the others. */
const FLOODER = { name: 'flooder', tools: TOOLS };
/** The other modules: a busy machine must not cost them a response. */
const FINCH = { name: 'finch', tools: [tool('wait', { timeout_secs: 60 })] };

/** The model makes the call in the message, and then ends the turn. */
const script: UpstreamScript = ({ body }) => {
  const { role, content } = body.messages.at(-1);
  if (role !== 'user') return says('Done.');
  const { name, input } = JSON.parse(content);
  return calls(`call_${randomUUID()}`, name, input);
};

describe.skipIf(noProc)('[MOD-9] failing modules', () => {
  const directory = temporaryDirectory();
  const servers = { parrot: started(PARROT) };
  let upstream: Upstream;
  let kernel: KernelProcess;
  beforeAll(async () => {
    upstream = await startUpstream(script);
    kernel = await startKernelProcess({
      upstream,
      settings: { modules: { socket_dir: directory.path, servers } },
    });
    for (const name of Object.keys(servers)) await becomes(kernel.api, name, 'up');
  });
  afterAll(async () => {
    const exit = await kernel?.stop();
    await upstream?.close();
    directory.remove();
    // The kernel was a single process all the time, and logged no error.
    expect(exit).toEqual({ code: 0, signal: null });
    expect(kernel.log().split('\n').filter(isError)).toEqual([]);
    await vi.waitFor(() => expect(marked()).toEqual([]), { timeout: 30_000 });
  });

  // An earlier test may have killed it, and the kernel restarts it.
  beforeEach(() => becomes(kernel.api, 'parrot', 'up'));

  const turns: Turns = (...given) => turnsOf(kernel, ...given);

  test('[MOD-8] [MOD-9] answers each of 20 calls once after a kill, leaves none open, and restarts the module', async () => {
    const { over } = await turns('parrot_wait', n => ({ n, ms: n % 2 === 0 ? 1 : 10_000 }));
    process.kill(pidOfParrot(), 'SIGKILL');
    const answers = answersOf(await over);
    expect(answers.filter(({ is_error }) => is_error).length).toBeGreaterThanOrEqual(TURNS / 2);
    for (const { output, is_error } of answers) {
      expect(output).toMatch(
        is_error
          ? /^(parrot_wait failed: the module disconnected|The module parrot is not running)/
          : /^waited \d+$/,
      );
    }
    await becomes(kernel.api, 'parrot', 'up');
    const again = answersOf(await (await turns('parrot_wait', n => ({ n, ms: 1 }))).over);
    expect(again.map(({ output }) => output).sort()).toEqual(
      Array.from({ length: TURNS }, (_, n) => `waited ${n}`).sort(),
    );
    expect((await kernel.api.get('/v1/requests')).body.requests).toEqual([]);
    expect((await kernel.api.get('/v1/stats')).body.turns).toMatchObject({ running: 0, queued: 0 });
    expect((await moduleOf(kernel.api, 'parrot'))?.status).not.toBe('failed');
  });
});

describe.skipIf(noProc)('modules that harm others', () => {
  let kernel: KernelProcess;
  // A new kernel for each test: a flood would leave no trace in memory that another test has already allocated.
  beforeEach(async () => {
    const upstream = await startUpstream(script);
    const servers = { flooder: started(FLOODER), finch: started(FINCH) };
    kernel = await startKernelProcess({ upstream, settings: { modules: { servers } } });
    for (const name of Object.keys(servers)) await becomes(kernel.api, name, 'up');
    return async () => {
      const exit = await kernel.stop();
      await upstream.close();
      expect(exit).toEqual({ code: 0, signal: null });
      expect(kernel.log().split('\n').filter(isError)).toEqual([]);
    };
  });

  const turns: Turns = (...given) => turnsOf(kernel, ...given);

  test('[MOD-1] tolerates garbage, false responses and floods of a module without extra memory or delays for others', async () => {
    const before = memoryFrom(kernel.pid);
    // Without concurrent calls: responses of the module to its own other calls do not matter here.
    for (const [name, output] of [
      ['garbage', 'sorry'],
      ['lie', 'the truth'],
    ]) {
      const { over } = await turns(`flooder_${name}`, () => ({}), 1);
      expect(answersOf(await over)).toMatchObject([{ output, is_error: false }]);
    }
    const waits = async () => {
      const began = performance.now();
      const { over } = await turns('finch_wait', n => ({ n, ms: 300 }));
      expect(answersOf(await over).filter(({ is_error }) => is_error)).toEqual([]);
      return performance.now() - began;
    };
    const alone = await waits();
    const floods = await turns('flooder_flood', () => ({ lines: 300_000 }), 2);
    const behind = await turns('flooder_wait', n => ({ n, ms: 1 }), 3);
    const beside = await waits();
    process.stdout.write(`calls took ${(beside / alone).toFixed(1)} times as long beside a flood\n`);
    expect(beside).toBeLessThan(SLOWED * alone);
    // The kernel reads a flooding module slowly, so the module's own responses may come too late.
    expect(answersOf((await Promise.all([floods.over, behind.over])).flat())).toHaveLength(5);
    const added = peakMemory(kernel.pid) - before;
    process.stdout.write(`a flood added at most ${megabytes(added)} to ${megabytes(before)}\n`);
    expect(added).toBeLessThan(LIMIT);
  });
});

test.skipIf(noProc)(
  '[MOD-8] kill -9 of the kernel leaves no module and no child process of a module',
  async () => {
    const marker = `orphan-${randomUUID()}`;
    const upstream = await startUpstream(script);
    onTestFinished(() => upstream.close());
    const kernel = await startKernelProcess({
      upstream,
      settings: {
        modules: {
          servers: {
            parrot: started({ ...PARROT, about: marker, rude: true }),
            finch: started({ name: 'finch', about: marker, tools: TOOLS }),
          },
        },
      },
    });
    for (const name of ['parrot', 'finch']) await becomes(kernel.api, name, 'up');
    const chat = await kernel.api.newChat();
    const events = await kernel.api.say(chat.id, JSON.stringify({ name: 'parrot_child', input: {} }));
    const children = (eventsOf(events, 'tool_result')[0]?.output ?? '').split(' ').map(Number);
    expect(children).toHaveLength(2);
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(2);
    expect(children.every(isAlive)).toBe(true);
    await kernel.kill();
    await expect.poll(() => processesWith(marker), { timeout: 30_000 }).toEqual([]);
    await expect.poll(() => children.filter(isAlive), { timeout: 30_000 }).toEqual([]);
  },
);

type Turns = (
  name: string,
  inputOf: (n: number) => object,
  count?: number,
) => Promise<{ over: Promise<Event[][]> }>;

/** Starts this many turns that each call a tool once; `over` has the events of each. */
async function turnsOf({ api }: KernelProcess, ...[name, inputOf, count = TURNS]: Parameters<Turns>) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const streams = await Promise.all(
    numbers.map(async n => {
      const chat = await api.newChat();
      return api.turn(chat.id, { text: JSON.stringify({ name, input: inputOf(n) }) });
    }),
  );
  await Promise.all(streams.map(stream => stream.until('tool_call')));
  return { over: Promise.all(streams.map(stream => stream.all())) };
}

/** The result of each turn: it had one call with exactly one result, and then it ended normally. */
function answersOf(all: readonly Event[][]) {
  return all.map(events => {
    const results = eventsOf(events, 'tool_result');
    expect(results).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    return results[0] as (typeof results)[number];
  });
}

const marked = (): number[] => processesWith(MARKER);

/** The module process itself; its parent is a shell. */
function pidOfParrot(): number {
  const pid = marked().find(each => !argumentsOf(each).startsWith('/bin/sh\0'));
  if (pid === undefined) throw new Error('the module does not run');
  return pid;
}

const processesWith = (marker: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid && argumentsOf(pid).includes(marker));

/** Empty if it has exited or is a zombie. */
function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const isAlive = (pid: number): boolean => argumentsOf(pid) !== '';

/** Log lines are JSON, one object a line. */
const isError = (line: string): boolean => line !== '' && JSON.parse(line).level >= 50;
