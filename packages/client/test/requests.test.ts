/** Tests the open requests of a turn by its events only, for programs that store no items. */
import { expect, it } from 'vitest';
import { applyToRequests, type OpenRequest, type TurnEvent } from '../src/index.ts';

const after = (...events: TurnEvent[]): readonly OpenRequest[] =>
  events.reduce<readonly OpenRequest[]>(applyToRequests, []);
const read: TurnEvent = { type: 'client_op', id: 'o', op_id: 'o', action: 'read', path: 'a' };
const input = { questions: [{}, {}], decisions: { discuss: 'Talk' } };
const ask: TurnEvent = { type: 'tool_call', id: 'c', name: 'ask_questions', input };

it('[EV-13] [EV-14] opens requests with their events and closes each by its own resolution', () => {
  const open = after(read, ask, read);
  expect(open).toEqual([
    { id: 'o', kind: 'op', event: read },
    { id: 'c', kind: 'question', question: 0, event: ask },
    { id: 'c', kind: 'question', question: 1, event: ask },
  ]);
  const remaining = applyToRequests(open, {
    type: 'request_resolved',
    id: 'c',
    kind: 'question',
    question: 0,
    reason: 'answered',
  });
  expect(remaining).toEqual([open[0], open[2]]);
});

it('drops all requests when the turn starts over', () => {
  expect(after(read, ask, { type: 'reset' })).toEqual([]);
});

it('returns the same array after events that open or close nothing', () => {
  const open = after(read);
  const unasked: TurnEvent = { ...ask, input: { questions: [{}] } };
  const unknown: TurnEvent = { type: 'request_resolved', id: 'x', kind: 'op', reason: 'answered' };
  for (const event of [read, unasked, unknown, { type: 'text_delta', text: 'a' } as const])
    expect(applyToRequests(open, event)).toBe(open);
});
