/** Tests the items of single blocks and operations. */
import type { EventOf } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import type { StoredBlock, StoredMessage } from '../src/index.ts';
import { itemOfOperation } from '../src/items/operation.ts';
import { itemOfBlock, itemsOfMessage } from '../src/items/to-items.ts';

const PLACE = { id: 'm:0', turn_id: 't', created_at: '2026-01-01T00:00:00.000Z' };
const kindOf = (block: StoredBlock, running = false) => itemOfBlock(block, { ...PLACE, running })?.kind;

it('shows a text without characters only while it is written', () => {
  for (const type of ['text', 'thinking'] as const) {
    expect(kindOf({ type, text: '' })).toBeUndefined();
    expect(kindOf({ type, text: '' }, true)).toBeDefined();
  }
  expect(kindOf({ type: 'text', text: 'a' })).toBe('agent_message');
  expect(kindOf({ type: 'thinking', text: 'a' })).toBe('thinking');
});

it('shows of a stored message only calls without a result as running while its turn runs', () => {
  const usage = {
    prompt_tokens: 1,
    completion_tokens: 1,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cost_usd: 0,
  };
  const message: StoredMessage = {
    ...{ id: 'm', chat_id: 'c', role: 'assistant', turn_id: 't', position: 1, status: 'completed' },
    created_at: PLACE.created_at,
    content: [
      { type: 'text', text: 'a', internal: { usage } },
      { type: 'tool_use', id: 'open', name: 'shell', input: {} },
      { type: 'tool_use', id: 'over', name: 'shell', input: {} },
    ],
  };
  const result = { type: 'tool_result', tool_use_id: 'over', output: 'b', is_error: false } as const;
  const statesIn = (runningTurn: string | null) =>
    itemsOfMessage(message, id => (id === 'over' ? result : undefined), runningTurn).map(item =>
      'status' in item ? item.status : undefined,
    );
  expect(statesIn('t')).toEqual(['completed', 'running', 'completed']);
  expect(statesIn('other')).toEqual(['completed', 'aborted', 'completed']);
  expect(itemsOfMessage(message, () => undefined, 't')[0]).toMatchObject({ text: 'a', usage });
});

it('shows the marker of a generated image as the image', () => {
  const drawn = { image_id: 'i', media_type: 'image/png', url: '/images/i' } as const;
  expect(itemOfBlock({ type: 'text', text: '[image]', internal: { drawn } }, PLACE)).toMatchObject({
    kind: 'image',
    ...drawn,
  });
});

it('shows no item for context, quotes, results and their images', () => {
  expect(kindOf({ type: 'context', text: 'a' })).toBeUndefined();
  expect(kindOf({ type: 'quote', text: 'a' })).toBeUndefined();
  expect(kindOf({ type: 'tool_result', tool_use_id: 'c', output: 'a', is_error: false })).toBeUndefined();
});

it('names the machine and the sub-agent of an operation that has them', () => {
  const event = { type: 'client_op', id: 'e', op_id: 'o', action: 'read_file', path: '/a' } as const;
  const plain = itemOfOperation(event as EventOf<'client_op'>, PLACE, null);
  expect(plain).toMatchObject({ kind: 'client_op', status: 'running', op_id: 'o', action: 'read_file' });
  for (const name of ['hands', 'agent', 'sandbox', 'decisions', 'decision', 'resolution'])
    expect(plain).not.toHaveProperty(name);
  const named = { ...event, hands: 'desk', agent: 'a' } as unknown as EventOf<'client_op'>;
  expect(itemOfOperation(named, PLACE, null)).toMatchObject({ hands: 'desk', agent: 'a' });
});
