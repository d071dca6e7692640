/** Tests operations of clients in any order of events: answered, refused, late, cancelled, unwatched. */
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import type { TurnFeed } from '@chat-kernel/kernel';
import type { Event, OpsResult } from '@chat-kernel/protocol';
import { builtinTools } from '@chat-kernel/tools';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FeedReader } from '../../packages/kernel/src/feed/reader.ts';
import { allOf, type Core, finish, openCore, until } from '../../packages/kernel/test/core.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { eventsOf } from '../harness/story.ts';

const NOWHERE = new MachinePaths([]);
const tools = builtinTools({
  paths: NOWHERE,
  sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, NOWHERE),
  environment: {},
  question_timeout_secs: 60,
});

/** Concurrent calls of the model; some request several operations in order. */
const call = fc.constantFrom(
  { name: 'read_file', input: { files: [{ path: 'a' }] } },
  { name: 'read_file', input: { files: [{ path: 'a' }, { path: 'b' }, { path: 'a' }] } },
  { name: 'write_file', input: { path: 'a', content: 'x' } },
  { name: 'edit_file', input: { path: 'a', old: 'text', new: 'word' } },
  { name: 'shell', input: { commands: ['true'] } },
  { name: 'shell', input: { commands: ['false', 'true'], timeout_secs: 900 } },
);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(20), how: fc.nat(6) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), secs: fc.constantFrom(1, 300, 600) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('watch' as const), client: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), client: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bytes' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);

/** Responses of clients with hands, including invalid ones. */
const ANSWERS: readonly Omit<OpsResult, 'id'>[] = [
  { result: 'some text', decision: 'allow' },
  { result: 'some text', decision: 'allow_session' },
  { result: { output: 'out', exit_code: 1 } },
  { decision: 'deny' },
  { error: 'unknown op action' },
  { blocks: [{ title: 't', content: 'c' }], error: 'half' },
  { result: 'some text', decision: 'allow_forever' },
];

it('[EV-13] [EV-15] [OP-10] ends each operation once, gives each call one result, and leaves nothing open', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    forAsLong(
      30_000,
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 5 }),
        fc.array(step, { maxLength: 25 }),
        async (made, steps) => {
          const core = await openCore({ tools });
          try {
            await play(core, made, steps);
          } finally {
            let closed = false;
            const closing = core.close().finally(() => {
              closed = true;
            });
            await until(() => {
              core.clock.advance(10_000);
              return closed;
            });
            await closing;
          }
        },
      ),
    ),
    { numRuns: 150 },
  );
});

/** How far the clock advances when nothing else happens. */
const STEP_MS = 30_000;

type Made = { name: string; input: Record<string, unknown> };
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(core: Core, made: readonly Made[], steps: readonly Step[]): Promise<void> {
  const { kernel, clock } = core;
  const { operations } = kernel;
  // A compacted result could not be counted.
  const chat = (await kernel.chats.create({ workdir: '/home/ada', compaction: 'off' })).id;
  core.scripts.push(async function* () {
    for (const [index, { name, input }] of made.entries())
      yield { type: 'call', id: `c${index}`, name, input };
    yield finish('tools');
  });
  const turn = await kernel.turns.start(chat, {
    text: 'Go.',
    client_ops: true,
    client_id: 'client-0',
    on_busy: 'queue',
  });
  const clients = [new Watcher(turn.feed, 'client-0'), new Watcher(turn.feed, 'client-1')];
  await until(() => operations.pending().requests.length > 0);

  /** Id → the required ending, determined by the first event. */
  const due = new Map<string, string>();
  const asked: Promise<unknown>[] = [];
  let cancelled: Promise<unknown> | undefined;
  for (const one of steps) {
    const open = operations.pending().requests;
    // Sometimes pick an old operation, for repeated responses.
    const ids = [...open.map(({ id }) => id), ...[...due.keys()].slice(0, 2)];
    switch (one.do) {
      case 'answer': {
        const id = ids[one.which % ids.length];
        const answer = ANSWERS[one.how] as Omit<OpsResult, 'id'>;
        if (id === undefined) break;
        const code = codeOf(() => operations.answer(chat, { id, ...answer }));
        if (due.has(id)) expect(code).toBe('already_resolved');
        else if (code === undefined) due.set(id, 'answered');
        else expect(code).toBe('invalid_value');
        break;
      }
      case 'wait':
        clock.advance(one.secs * 1000);
        for (const { id, expires_at } of open) {
          if (Date.parse(expires_at) <= clock.now()) due.set(id, 'expired');
        }
        break;
      case 'watch':
        clients[one.client]?.watch();
        break;
      case 'leave':
        clients[one.client]?.leave();
        break;
      case 'bytes':
        // A direct caller: its response is a value or an error, and always arrives.
        asked.push(
          operations.readClientBytes(chat, { path: 'b', offset: 0, size: 1 }).catch(error => {
            expect(['no_client', 'forbidden_path', 'invalid_value']).toContain(error.code);
          }),
        );
        break;
      case 'cancel':
        cancelled ??= kernel.turns.cancel(chat, { queued: false });
        await until(() => operations.pending().requests.length === 0);
        for (const { id } of open) due.set(id, 'cancelled');
        break;
      default:
        one satisfies never;
    }
    for (const client of clients) client.read();
    await new Promise(resolve => setImmediate(resolve));
  }
  // Operations that still wait must expire: an ended turn has no open ones.
  await until(() => {
    for (const { id, expires_at } of operations.pending().requests) {
      if (Date.parse(expires_at) <= clock.now() + STEP_MS) due.set(id, 'expired');
    }
    clock.advance(STEP_MS);
    return turn.feed.closed;
  });
  await Promise.all([cancelled, ...asked]);
  check(await allOf(turn.feed), made, due);
  expect(operations.pending().requests).toEqual([]);
  expect(await readLater(core, chat)).toEqual(made.map((_, index) => `c${index}`));

  for (const client of clients) client.read();
  expect(clients[1]?.executed).toEqual([]);
  const executed = clients[0]?.executed ?? [];
  expect(new Set(executed).size).toBe(executed.length);
}

/** The calls whose results a further turn sends to the model. */
async function readLater({ kernel, scripts }: Core, chat: string): Promise<string[]> {
  const read: string[] = [];
  scripts.unshift(async function* ({ messages }) {
    for (const { content } of messages) {
      for (const block of content) if (block.type === 'tool_result') read.push(block.tool_use_id);
    }
    yield finish();
  });
  await allOf((await kernel.turns.start(chat, { text: 'So?', on_busy: 'queue' })).feed);
  return read.toSorted();
}

/** Checks the events of an ended turn. */
function check(events: Event[], made: readonly Made[], due: ReadonlyMap<string, string>): void {
  const ops = eventsOf(events, 'client_op').map(({ id }) => id);
  const ended = eventsOf(events, 'request_resolved');
  expect(new Set(ops).size).toBe(ops.length);
  expect(ended.map(({ id }) => id).toSorted()).toEqual(ops.toSorted());
  for (const { id, reason } of ended) if (due.has(id)) expect([id, reason]).toEqual([id, due.get(id)]);
  const calls = made.map((_, index) => `c${index}`);
  expect(
    eventsOf(events, 'tool_result')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(calls);
  expect(events.at(-1)?.type).toBe('done');
  const items = (type: 'item_started' | 'item_completed') =>
    eventsOf(events, type).flatMap(({ item }) => (item.kind === 'client_op' ? [item.id] : []));
  expect(items('item_completed').toSorted()).toEqual(items('item_started').toSorted());
}

/** A client that follows the rules: it executes its operations, unless they are replayed or for another client. */
class Watcher {
  readonly executed: string[] = [];
  readonly #feed: TurnFeed;
  readonly #client_id: string;
  #reader: FeedReader | undefined;

  constructor(feed: TurnFeed, client_id: string) {
    this.#feed = feed;
    this.#client_id = client_id;
  }

  watch(): void {
    this.leave();
    this.#reader = new FeedReader(this.#feed.log, { mute: new Set(), replay: true });
  }

  leave(): void {
    // Events that the client has not read yet are lost to it.
    this.#reader?.stop();
    this.#reader = undefined;
  }

  read(): void {
    const wire = this.#reader?.take() ?? '';
    for (const [, json] of wire.matchAll(/^data: (.*)$/gm)) {
      const event = JSON.parse(json as string) as Event;
      if (event.type !== 'client_op' || event.replayed) continue;
      if (event.client_id === this.#client_id) this.executed.push(event.id);
    }
  }
}

function codeOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
}
