/**
 * Runs the kernel over a real database with a scripted model, for timing that HTTP requests cannot control. A test can
 * delay any write of the store or make it fail, as a full disk would.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { type Event, Settings } from '@chat-kernel/protocol';
import { openJournal, openStore } from '@chat-kernel/storage';
import { ownMachine } from '@chat-kernel/tools';
import { ManualClock } from '../../../test/harness/clock.ts';
import { FeedReader } from '../src/feed/reader.ts';
import {
  type ChatStore,
  type Kernel,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  type Models,
  openKernel,
  type Store,
  type Tool,
  type TurnFeed,
  type TurnStore,
} from '../src/index.ts';

/** The model's answer to one provider request; without a script it says ok. */
type Script = (request: ModelRequest) => AsyncIterable<ModelEvent>;
/** Called before each write reaches the database; the write fails with the error that this throws. */
type Before = {
  [Method in 'writeTurn' | 'createTurn' | 'getTurn' | 'checkpoint' | 'updateChat']?: (
    ...given: unknown[]
  ) => unknown;
};

export interface Core {
  kernel: Kernel;
  store: Store;
  clock: ManualClock;
  scripts: Script[];
  before: Before;
  /** Texts of errors and warnings. */
  logged: string[];
  close(): Promise<void>;
  /** Simulates a crash of the process: nothing is written after it. */
  die(): Promise<void>;
}

export async function openCore({
  tools = [],
  dir,
  model = 'scripted/plain',
  // The history of most tests never comes near compaction.
  context_window = 1_000_000,
  answer = says('ok'),
  alone = true,
}: {
  tools?: Tool[];
  dir?: string;
  model?: string;
  context_window?: number;
  /** The answer to provider requests without a script. */
  answer?: Script;
  /** False: other machines may take over the turns, so the store gets copies of running steps. */
  alone?: boolean;
} = {}): Promise<Core> {
  const data_dir = dir ?? mkdtempSync(join(tmpdir(), 'chat-kernel-'));
  const clock = new ManualClock();
  const logged: string[] = [];
  const say = (_facts: object, sentence: string) => void logged.push(sentence);
  const log = { debug() {}, info() {}, warn: say, error: say };
  const real = await openStore({ data_dir, url: null, log, clock });
  const before: Before = {};
  const turns: TurnStore = {
    ...real.turns,
    create: async (...given) => {
      const fate = await before.createTurn?.(...given);
      await real.turns.create(...given);
      if (fate === LOST) throw new Error('the connection broke');
    },
    get: async (...given) => {
      await before.getTurn?.(...given);
      return real.turns.get(...given);
    },
    checkpoint: async copies => {
      await before.checkpoint?.(copies);
      return real.turns.checkpoint(copies);
    },
    write: async (...given) => {
      const fate = await before.writeTurn?.(...given);
      await real.turns.write(...given);
      if (fate === LOST) throw new Error('the connection broke');
    },
  };
  const chats: ChatStore = {
    ...real.chats,
    update: async (...given) => {
      await before.updateChat?.(...given);
      return real.chats.update(...given);
    },
  };
  const store: Store = { ...real, turns, chats };
  const scripts: Script[] = [];
  const kernel = await openKernel({
    store,
    journal: openJournal(data_dir, { alone }),
    models: modelsOf(scripts, model, context_window, answer),
    tools,
    groups: [],
    machine: ownMachine(new MachinePaths([data_dir])),
    clock,
    log,
    settings: Settings.parse({ titles: { enabled: false } }),
    secrets: [],
  });
  return {
    kernel,
    store,
    clock,
    scripts,
    before,
    logged,
    die: () => real.close(),
    async close() {
      // An unavailable store has a deadline, which this clock drives.
      let isOver = false;
      const stopped = kernel.shutdown(0).finally(() => {
        isOver = true;
      });
      for (; !isOver; clock.advance(1000)) await new Promise(resolve => setTimeout(resolve, 5));
      await stopped;
      await real.close();
      if (dir === undefined) rmSync(data_dir, { recursive: true });
    },
  };
}

/** Returned by `before` for a write that reaches the database but must look as if it had failed. */
export const LOST = Symbol('lost');

/** Returns all events of a feed, once it is closed. */
export async function allOf(feed: TurnFeed): Promise<Event[]> {
  while (!feed.closed) await new Promise<void>(resolve => feed.log.wait(resolve));
  const reader = new FeedReader(feed.log, { mute: new Set(), replay: false });
  let wire = '';
  while (!reader.ended) wire += reader.take();
  return [...wire.matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] as string) as Event);
}

/** Waits until the condition holds; the test's own timeout is the limit. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setImmediate(resolve));
}

function modelsOf(scripts: Script[], id: string, context_window: number, answer: Script): Models {
  const record: LanguageModel['record'] = {
    id,
    name: 'plain',
    provider: 'scripted',
    effort: null,
    efforts: ['low', 'high'],
    context_window,
    max_output_tokens: 1000,
    inputs: ['text'],
    price: null,
  };
  const model: LanguageModel = {
    record,
    async *stream(request) {
      yield* (scripts.shift() ?? answer)(request);
    },
  };
  return {
    list: () => ({ models: [record], default_model: record.id, effort_default: 'low', context_windows: {} }),
    find: wanted => (wanted === id ? model : undefined),
    default: () => model,
    rateLimits: () => ({}),
  };
}

export const finish = (reason: 'stop' | 'tools' = 'stop'): ModelEvent => ({
  type: 'finish',
  reason,
  usage: { prompt_tokens: 10, completion_tokens: 5, reasoning_tokens: 0, cached_tokens: 0 },
});

export const says = (...pieces: string[]) =>
  async function* (): AsyncGenerator<ModelEvent> {
    for (const text of pieces) yield { type: 'text', text };
    yield finish();
  };

export const calls = (...names: string[]) =>
  async function* (): AsyncGenerator<ModelEvent> {
    for (const [n, name] of names.entries()) yield { type: 'call', id: `call_${n}`, name, input: {} };
    yield finish('tools');
  };

export function tool(name: string, run: Tool['run']): Tool {
  return {
    name,
    description: name,
    input_schema: { type: 'object' },
    source: 'builtin',
    group: 'test',
    icon: 't',
    trusted_only: false,
    client_only: false,
    on_demand: false,
    outside_effect: false,
    effects: [],
    run,
  };
}

/** The record of a model without special properties. */
export const PLAIN_MODEL: LanguageModel['record'] = {
  id: 'scripted/plain',
  name: 'plain',
  provider: 'scripted',
  effort: null,
  efforts: ['low'],
  context_window: 10_000,
  max_output_tokens: 1000,
  inputs: ['text'],
  price: { input: 1, output: 10 },
};
