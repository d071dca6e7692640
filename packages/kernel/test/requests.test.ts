/** Tests requests to clients with their events in any order. */
import type { Event, OpsResult, Resolution } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { KernelEvents } from '../src/events/kernel-events.ts';
import type { ModelRequest, NewMessage, RequestEnding } from '../src/index.ts';
import { Requests } from '../src/requests/requests.ts';
import { allOf, calls, openCore, until } from './core.ts';

const CHATS = ['chat-0', 'chat-1'];

/** Opens a registry, and records the events that it sent. */
function opened() {
  const clock = new ManualClock();
  const told: Resolution[] = [];
  const shown: string[] = [];
  const requests = new Requests(clock, ['hunter2hunter2'], new KernelEvents(() => null));
  const feed = {
    requestOpened() {},
    requestResolved: (resolution: Resolution) => void told.push(resolution),
  };
  const open = (turn: number, id: string, timeout_secs: number, question?: number, agent?: string) =>
    requests.open(
      {
        chat_id: CHATS[turn % 2] as string,
        turn_id: `turn-${turn}`,
        feed,
        progress: output => void shown.push(output),
      },
      {
        kind: question === undefined ? 'op' : 'question',
        event: { type: question === undefined ? 'extra_tool_call' : 'tool_call', id, name: 'x', input: {} },
        timeout_secs,
        ...(question !== undefined && { question }),
        ...(agent !== undefined && { agent }),
        decisions: ['discuss'],
      },
    );
  return { clock, told, shown, requests, open };
}

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

const action = fc.oneof(
  fc.record({ do: fc.constant('answer' as const), which: fc.nat(20), chat: fc.nat(1) }),
  fc.record({ do: fc.constant('bad' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(8) }),
  fc.record({ do: fc.constant('over' as const), turn: fc.nat(3), cancelled: fc.boolean() }),
);
const wanted = fc.record({
  turn: fc.nat(3),
  timeout: fc.integer({ min: 1, max: 30 }),
  question: fc.option(fc.nat(2), { nil: undefined }),
});

describe('[EV-13] [EV-14] for any order of events', () => {
  it('each request ends exactly once, with the first ending', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wanted, { minLength: 1, maxLength: 20 }),
        fc.array(action, { maxLength: 40 }),
        async (wishes, actions) => {
          const { clock, told, requests, open } = opened();
          const start = clock.now();
          const all = wishes.map(({ turn, timeout, question }, index) => ({
            id: `id-${index}`,
            turn,
            question,
            at: start + timeout * 1000,
            reason: undefined as RequestEnding['reason'] | undefined,
            request: open(turn, `id-${index}`, timeout, question),
          }));
          const endOf = (one: (typeof all)[number] | undefined, reason: RequestEnding['reason']) => {
            if (one) one.reason ??= reason;
          };
          for (const act of actions) {
            if (act.do === 'wait') {
              clock.advance(act.seconds * 1000);
              for (const one of all) if (one.at <= clock.now()) endOf(one, 'expired');
            } else if (act.do === 'over') {
              const reason = act.cancelled ? 'cancelled' : 'turn_ended';
              requests.endTurn(`turn-${act.turn}`, reason);
              for (const one of all) if (one.turn === act.turn) endOf(one, reason);
            } else {
              const one = all[act.which % all.length] as (typeof all)[number];
              const answer: OpsResult = { id: one.id, result: 'r', answer: 'a' };
              if (act.do === 'end') {
                one.request.end();
                endOf(one, 'turn_ended');
              } else if (act.do === 'bad') {
                const code = codeOf(() => requests.answer('none', { ...answer, decision: 'fly' }));
                expect(code).toBe(one.reason === undefined ? 'invalid_value' : 'already_resolved');
              } else {
                const code = codeOf(() => requests.answer(CHATS[act.chat] as string, answer));
                expect(code).toBe(one.reason === undefined ? undefined : 'already_resolved');
                endOf(one, 'answered');
              }
            }
            const open = all.filter(one => one.reason === undefined).map(one => one.id);
            expect(requests.pending().map(({ id }) => id)).toEqual(open);
          }
          for (let turn = 0; turn < 4; turn++) requests.endTurn(`turn-${turn}`, 'turn_ended');
          for (const one of all) endOf(one, 'turn_ended');
          expect(requests.pending()).toEqual([]);
          expect(clock.timers.size).toBe(0);
          expect(
            told.toSorted((a, b) => all.findIndex(o => o.id === a.id) - all.findIndex(o => o.id === b.id)),
          ).toEqual(
            all.map(({ id, reason, question }) => ({
              id,
              kind: question === undefined ? 'op' : 'question',
              reason,
              ...(question !== undefined && { question }),
            })),
          );
          const endings = await Promise.all(all.map(({ request }) => request.ending));
          expect(endings.map(({ reason }) => reason)).toEqual(all.map(({ reason }) => reason));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('each call has one result for the model, and the turn ends', { timeout: 300_000 }, async () => {
    const move = fc.record({
      which: fc.nat(5),
      how: fc.constantFrom('answer' as const, 'error' as const, 'expire' as const, 'cancel' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(move, { maxLength: 10 }),
        fc.boolean(),
        async (count, moves, ends) => {
          const core = await openCore();
          try {
            const chat = (await core.kernel.chats.create({})).id;
            const names = Array.from({ length: count }, (_, n) => `tool_${n}`);
            const extra_tools = names.map((name, n) => ({
              name,
              description: name,
              timeout_secs: n + 1,
              ends_turn: ends && n === 0,
            }));
            core.scripts.push(calls(...names));
            const turn = await core.kernel.turns.start(chat, { text: 'Go.', extra_tools, on_busy: 'queue' });
            await until(() => core.kernel.operations.pending().requests.length === count);
            let cancelled = Promise.resolve<unknown>(undefined);
            for (const { which, how } of moves) {
              const id = `call_${which % count}`;
              const answer: OpsResult = how === 'error' ? { id, error: 'no' } : { id, result: 'yes' };
              if (how === 'expire') core.clock.advance(1000);
              else if (how === 'cancel') cancelled = core.kernel.turns.cancel(chat, { queued: false });
              else codeOf(() => core.kernel.operations.answer(chat, answer));
              if (which % 2) await new Promise(resolve => setImmediate(resolve));
            }
            await until(() => {
              core.clock.advance(1000);
              return turn.feed.closed;
            });
            await cancelled;
            const events = await allOf(turn.feed);
            expect(core.kernel.operations.pending().requests).toEqual([]);
            expect(idsOf(events, 'extra_tool_call')).toEqual(names.map((_, n) => `call_${n}`));
            expect(idsOf(events, 'request_resolved').toSorted()).toEqual(idsOf(events, 'extra_tool_call'));
            expect(idsOf(events, 'tool_result').toSorted()).toEqual(idsOf(events, 'extra_tool_call'));
            expect(events.at(-1)?.type).toBe('done');

            let read: ModelRequest['messages'] = [];
            core.scripts.push(async function* (request) {
              read = request.messages;
              yield* calls()();
            });
            await allOf((await core.kernel.turns.start(chat, { text: 'So?', on_busy: 'queue' })).feed);
            expect(resultsIn(read)).toEqual(idsOf(events, 'extra_tool_call'));
          } finally {
            const closed = core.close();
            core.clock.advance(1000);
            await closed;
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

const idsOf = (events: readonly Event[], type: 'extra_tool_call' | 'request_resolved' | 'tool_result') =>
  events.flatMap(event => (event.type === type ? [event.id] : []));

const resultsIn = (messages: readonly Pick<NewMessage, 'content'>[]) =>
  messages
    .flatMap(({ content }) =>
      content.flatMap(block => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
    )
    .toSorted();

describe('[OP-8] progress', () => {
  it('redacts secrets of the settings, and ignores sub-agents', () => {
    const { requests, open, shown } = opened();
    open(0, 'own', 10);
    open(0, 'agents', 10, undefined, 'Ada');
    requests.progress('none', { id: 'own', output: 'login with hunter2hunter2 now' });
    requests.progress('none', { op_id: 'agents', output: 'quiet' });
    expect(shown).toEqual(['login with *** now']);
  });

  it('is rejected for a question', () => {
    const { requests, open } = opened();
    open(0, 'q', 10, 0);
    expect(codeOf(() => requests.progress('none', { id: 'q', output: '' }))).toBe('unknown_request');
  });
});

it('[OP-9] assigns an id that a rewind released to the new call', async () => {
  const { requests, open } = opened();
  open(0, 'call', 10).end();
  const again = open(2, 'call', 10);
  requests.answer(CHATS[0] as string, { id: 'call', result: 'new' });
  expect(await again.ending).toMatchObject({ reason: 'answered', answer: { result: 'new' } });
});

it('truncates a long id or decision in an error', () => {
  const { requests, open } = opened();
  open(0, 'call', 10);
  const long = 'x'.repeat(1_000_000);
  const said = (answer: OpsResult) => {
    try {
      requests.answer('none', answer);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(said({ id: long, result: '' })).toMatch(/^There is no request x{200}\.$/);
  expect(said({ id: 'call', decision: long })).toMatch(/^The decision x{200} was not offered\./);
});

it('stores only the last thousand endings', () => {
  const { requests, open } = opened();
  for (let n = 0; n <= 1000; n++) open(0, `id-${n}`, 10).end();
  const late = (n: number) => codeOf(() => requests.answer('none', { id: `id-${n}`, result: '' }));
  expect([late(0), late(1), late(1000)]).toEqual(['unknown_request', 'already_resolved', 'already_resolved']);
});
