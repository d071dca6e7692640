/** Tests chunks of events that a real kernel rarely sends, or that are newer than this client. */
import type { EventOf, Item, ItemOf, StopReason, TurnEvent } from '@chat-kernel/client';
import { expect, it } from 'vitest';
import { ChunkWriter } from '../src/chunk-writer.ts';

const TURN = '0190f000-0000-7000-8000-000000000001';
const CHAT = '0190f000-0000-7000-8000-00000000000c';
const written = (...events: TurnEvent[]) => {
  const writer = new ChunkWriter(CHAT, 'http://kernel');
  return events.flatMap(event => [...writer.write(event)]);
};
const item = <Kind extends Item['kind']>(kind: Kind, fields: object): ItemOf<Kind> =>
  ({ id: `${TURN}:0`, kind, status: 'running', turn_id: TURN, created_at: '', ...fields }) as ItemOf<Kind>;
const started = (of: Item): TurnEvent => ({ type: 'item_started', item: of });
const completed = (of: Item): TurnEvent => ({ type: 'item_completed', item: { ...of, status: 'completed' } });
const usage = {
  prompt_tokens: 1,
  completion_tokens: 2,
  reasoning_tokens: 0,
  cached_tokens: 0,
  cost_usd: null,
};
const done = (status: EventOf<'done'>['status'], stop_reason: StopReason = 'stop'): TurnEvent => ({
  type: 'done',
  turn_id: TURN,
  status,
  stop_reason,
  message_ids: [],
  usage,
});
const START = { type: 'start', messageId: TURN, messageMetadata: { turn_id: TURN } };

it('shows the partial output of a tool, and its sub-agent', () => {
  const call = item('tool_call', { call_id: 'c', name: 'shell', input: {}, is_error: false, agent: 'Scout' });
  const tool = { toolCallId: 'c', dynamic: true, providerExecuted: true };
  expect(
    written(
      started(call),
      started(call),
      { type: 'item_delta', item_id: call.id, delta: { type: 'progress', output: 'so far' } },
      completed({ ...call, output: 'all' }),
    ),
  ).toEqual([
    START,
    { type: 'tool-input-available', toolName: 'shell', input: {}, ...tool, toolMetadata: { agent: 'Scout' } },
    { type: 'tool-output-available', output: 'so far', preliminary: true, ...tool },
    { type: 'tool-output-available', output: 'all', ...tool },
  ]);
});

it('closes open parts at the end, and sends an error last', () => {
  const input = { questions: [{ question: 'Which?', options: [{ label: 'Red' }] }], decisions: {} };
  const chunks = written(
    started(item('agent_message', { text: 'Hm' })),
    { type: 'tool_call', id: 'q', name: 'ask_questions', input },
    { type: 'error', turn_id: TURN, code: 'upstream_error', message: 'It broke.', retryable: true },
    done('failed'),
    done('failed'),
  );
  expect(chunks.slice(4)).toEqual([
    { type: 'text-end', id: `${TURN}:0` },
    {
      type: 'data-request',
      id: 'q:0',
      data: {
        chat_id: CHAT,
        id: 'q',
        kind: 'question',
        question: 0,
        asked: input.questions[0],
        decisions: {},
        resolution: { reason: 'turn_ended' },
      },
    },
    { type: 'message-metadata', messageMetadata: { status: 'failed', usage } },
    { type: 'error', errorText: 'It broke.' },
  ]);
});

it('maps the end of a turn to a finish reason of the AI SDK', () => {
  const reasons = ['stop', 'ends_turn', 'tools', 'length', 'content_filter', 'something_new'] as StopReason[];
  const told = reasons.map(reason => written(done('completed', reason)).at(-1));
  expect(told.map(chunk => chunk?.type === 'finish' && chunk.finishReason)).toEqual([
    'stop',
    'stop',
    'tool-calls',
    'length',
    'content-filter',
    'other',
  ]);
});

it('reports a pause outside of the parts, and skips newer events', () => {
  const until = '2026-11-28T06:00:00.000Z';
  const newer = { type: 'something_new' } as unknown as TurnEvent;
  const unknown = item('plan', { kind: 'something_new' });
  const sub = { type: 'agent_usage', model: 'm', agent: 'Scout', ...usage } as const;
  expect(
    written({ type: 'sleeping', since: until, until, reason: null }, newer, sub, completed(unknown)),
  ).toEqual([{ type: 'data-turn', data: { status: 'sleeping', until }, transient: true }, START]);
});

it('starts another message for another turn in the same stream', () => {
  const next = { ...item('machine_note', { note: 'woken', text: 'Woken.' }), turn_id: CHAT };
  const writer = new ChunkWriter(CHAT, 'http://kernel');
  const chunks = [...writer.begin(TURN), ...writer.write(completed(next))];
  expect(chunks).toEqual([
    START,
    { type: 'start', messageId: CHAT, messageMetadata: { turn_id: CHAT } },
    { type: 'data-note', id: next.id, data: { note: 'woken', text: 'Woken.' } },
  ]);
});
