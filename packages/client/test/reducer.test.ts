/** Tests the reducer with the real kernel: the events of any turn produce the items of history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparable } from '../../../test/harness/items.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { SILENCE } from '../../../test/harness/story.ts';
import type { ScriptedReply, ScriptedStep } from '../../../test/upstream/reply.ts';
import { applyEvents, type EventOf, type Item, newTurn, type TurnEvent, timeline } from '../src/index.ts';

const kernel = sharedKernel();

/** The events without the original ones of the same steps. */
const itemsAlone = (events: readonly TurnEvent[]) => events.filter(({ type }) => !MIRRORED.has(type));
const MIRRORED: ReadonlySet<string> = new Set([
  'text_delta',
  'thinking_delta',
  'tool_call',
  'tool_result',
  'tool_progress',
  'image',
  'plan',
]);
const replayed = (events: readonly TurnEvent[]) =>
  events.map(event => ({ ...event, replayed: true }) as TurnEvent);
const itemsOf = (events: readonly TurnEvent[]) => applyEvents(newTurn(), events).items;

const text = fc.array(fc.stringMatching(/^[a-zé🙂 ]{1,6}$/u), { minLength: 1, maxLength: 4 });
let calls = 0;
/** Refused, each with a different input: the kernel ends a turn whose model repeats a refused call. */
const refused = (name: string) => fc.constant(name).map(name => ({ name, input: { wrong: calls++ } }));
const call = fc
  .oneof(
    fc.constant({ name: 'plan', input: { tasks: [{ title: 'One', status: 'pending' }] } }),
    fc.constant({ name: 'plan', input: { tasks: [] } }),
    fc.constant({ name: 'notebook', input: { text: 'Tea.', mode: 'append' } }),
    refused('notebook'),
    refused('nothing_like_it'),
  )
  .map((call): ScriptedStep => ({ call: { ...call } }));
const step = fc.oneof(
  text.map((text): ScriptedStep => ({ text })),
  text.map((thinking): ScriptedStep => ({ thinking })),
  call,
);
const reply = fc.array(step, { minLength: 1, maxLength: 4 });
/** Provider requests with calls, and then one that has none, fails, or never ends. */
const story = fc.record({
  trips: fc.array(
    fc.tuple(fc.array(step, { maxLength: 2 }), fc.array(call, { minLength: 1, maxLength: 3 })),
    {
      maxLength: 3,
    },
  ),
  last: reply.map(steps => steps.filter(step => !('call' in step))),
  end: fc.constantFrom('done', 'done', 'failed', 'cancelled'),
});

/** Gives each call a different id. */
const named = (steps: readonly ScriptedStep[]): ScriptedStep[] =>
  steps.map(step => ('call' in step ? { call: { ...step.call, id: `call_${calls++}` } } : step));

async function play({ trips, last, end }: typeof story extends fc.Arbitrary<infer Story> ? Story : never) {
  const ends: ScriptedStep[] =
    end === 'failed' ? [{ error: 'server_error' }] : end === 'cancelled' ? [SILENCE] : [];
  const replies: ScriptedReply[] = [
    ...trips.map(([before, after]) => ({ steps: named([...before, ...after]) })),
    { steps: [{ text: 'last ' }, ...last, ...ends] },
  ];
  kernel.upstream.next(...replies);
  const chat = await kernel.api.newChat({ title: 'Fold', workdir_on: 'server' });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  if (end === 'cancelled') {
    await stream.until(event => event.type === 'text_delta' && event.text.includes('last'));
    await kernel.api.post(`/v1/chats/${chat.id}/cancel`);
  }
  const events: TurnEvent[] = await stream.all();
  return { events, history: (await kernel.api.items(chat.id)) as Item[] };
}

it('[ITEM-11] [EV-11] builds the items of the history from the item events, with the original ones or without, and from any replay', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(story, fc.nat(), fc.nat(), async (script, cut, second) => {
      const { events, history } = await play(script);
      ends.add(events.find((event): event is EventOf<'done'> => event.type === 'done')!.status);
      const whole = itemsOf(events);
      expect(comparable(whole)).toEqual(comparable(history));
      expect(itemsOf(itemsAlone(events))).toEqual(whole);
      // A cut at any point and a restart; two cuts, and resumed from there.
      const broken = events.slice(0, cut % events.length);
      const again: TurnEvent[] = [...broken, { type: 'reset' }, ...replayed(events)];
      expect(itemsOf(again)).toEqual(whole);
      const rest = events.slice(broken.length);
      const piece = rest.slice(0, second % rest.length);
      expect(itemsOf([...broken, ...replayed(piece), ...rest.slice(piece.length)])).toEqual(whole);
    }),
    { numRuns: 40, seed: 7 },
  );
  expect([...ends].sort()).toEqual(['cancelled', 'completed', 'failed']);
});

describe('a turn view', () => {
  const view = (...events: TurnEvent[]) => applyEvents(newTurn(), events);

  it('[EV-2] applies each delta once, for a cut between any two events', async () => {
    kernel.upstream.next({ steps: [{ thinking: ['hm', 'm'] }, { text: ['a', 'b', 'c'], delay_ms: 2 }] });
    const chat = await kernel.api.newChat({ title: 'Grow' });
    const events: TurnEvent[] = await kernel.api.say(chat.id, 'Go.');
    const lengths = events.map((_, index) => {
      const items = itemsOf(events.slice(0, index + 1));
      return items.map(item => ('text' in item ? item.text : '')).join('');
    });
    expect(lengths.at(-1)).toBe('hmmabc');
    expect(lengths.every(text => 'hmmabc'.startsWith(text))).toBe(true);
  });

  it('[EV-7] is queued, then sleeping, then running', () => {
    const sleeping = {
      type: 'sleeping',
      since: '2026-01-01T00:00:00.000Z',
      until: null,
      reason: 'Night.',
    } as const;
    expect(view({ type: 'queued', position: 2 })).toMatchObject({ status: 'queued', position: 2 });
    expect(view(sleeping)).toMatchObject({ status: 'sleeping', sleeping: { reason: 'Night.' } });
    expect(view(sleeping, { type: 'text_delta', text: 'Up.' })).toMatchObject({
      status: 'running',
      sleeping: null,
    });
    const begins = { type: 'turn', turn_id: 't', waiting_for: null } as const;
    for (const waits of [{ type: 'queued', position: 2 } as const, sleeping])
      expect(view(waits, begins)).toMatchObject({
        turn_id: 't',
        status: 'running',
        position: null,
        sleeping: null,
      });
  });

  it('[WIRE-6] shows the pause before a provider retry until the turn continues', () => {
    const pause = { until: '2026-01-01T00:00:12.000Z', attempt: 1, of: 3, reason: 'overload' } as const;
    const waiting = view({ type: 'provider_wait', ...pause });
    expect(waiting).toMatchObject({ status: 'running', provider_wait: pause });
    expect(applyEvents(waiting, [{ type: 'text_delta', text: 'Up.' }]).provider_wait).toBeNull();
  });

  it('[EV-5] [EV-6] shows the pause of a compaction, and the amount of truncated output', () => {
    expect(view({ type: 'compacting' }).compacting).toBe(true);
    const squeezed = view(
      { type: 'turn_squeezed', freed_chars: 3 },
      { type: 'turn_squeezed', freed_chars: 4 },
    );
    expect(squeezed).toMatchObject({ compacting: false, freed_chars: 7 });
  });

  it('[EV-13] [EV-14] keeps a request open until its resolution, each question separately', () => {
    const op = { type: 'client_op', id: 'o', op_id: 'o', action: 'read', path: 'a' } as const;
    const input = { questions: [{}, {}], decisions: { discuss: 'Talk' } };
    const ask = { type: 'tool_call', id: 'c', name: 'ask_questions', input } as const;
    const open = view(op, ask);
    expect(open.requests.map(({ id, question }) => [id, question])).toEqual([
      ['o', undefined],
      ['c', 0],
      ['c', 1],
    ]);
    const left = applyEvents(open, [
      { type: 'request_resolved', id: 'c', kind: 'question', reason: 'answered', question: 0 },
      { type: 'request_resolved', id: 'o', kind: 'op', reason: 'answered', decision: 'deny' },
    ]);
    expect(left.requests.map(({ id, question }) => [id, question])).toEqual([['c', 1]]);
  });

  it('[CONSENT-1] keeps a request for consent open until its resolution, with its reason', () => {
    const fields = { op_id: 'o', action: 'shell', reason: 'Because.', outside: ['mcp:x'], hands: null };
    const decisions = ['allow', 'deny'];
    const event = { type: 'consent_request', id: 'o', command: 'ls', decisions, ...fields } as const;
    const open = view(event);
    expect(open.requests).toEqual([{ id: 'o', kind: 'op', event }]);
    const ended = { type: 'request_resolved', id: 'o', kind: 'op', reason: 'answered' } as const;
    expect(applyEvents(open, [{ ...ended, decision: 'allow' }]).requests).toEqual([]);
  });

  it('skips unknown events', () => {
    const before = view({ type: 'text_delta', text: 'a' });
    expect(applyEvents(before, [{ type: 'dance' } as unknown as TurnEvent])).toBe(before);
  });

  it('shows an item of an unknown kind once, and ends it with its turn', () => {
    const item = {
      id: 'm:0',
      kind: 'dance',
      status: 'running',
      turn_id: 't',
      created_at: '',
    } as unknown as Item;
    const done = { type: 'done', turn_id: 't', status: 'cancelled' } as unknown as TurnEvent;
    const shown = view({ type: 'item_started', item }, { type: 'item_completed', item }, done);
    expect(shown.items).toEqual([{ ...item, status: 'aborted' }]);
    const live = { ...shown, turn_id: 't' };
    expect(timeline([item], [live])).toEqual(shown.items);
  });

  it('does not change returned objects', () => {
    const item = {
      id: 'm:0',
      kind: 'agent_message',
      status: 'running',
      turn_id: 't',
      created_at: '',
      text: 'a',
    } as const;
    const first = view({ type: 'item_started', item });
    const frozen = JSON.stringify(first);
    applyEvents(first, [
      { type: 'item_delta', item_id: 'm:0', delta: { type: 'text', text: 'b' } },
      { type: 'item_completed', item: { ...item, status: 'completed' } },
      { type: 'plan', tasks: [] },
      { type: 'reset' },
    ]);
    expect(JSON.stringify(first)).toBe(frozen);
  });
});
