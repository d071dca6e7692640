/** Tests spans: where each is in its trace, when it ends, and how it names the cause of a failure. */
import { currentTrace } from '@chat-kernel/kernel';
import { expect, it } from 'vitest';
import { describeCause } from '../src/telemetry/spans.ts';
import { recordSpans } from './record-spans.ts';

const [TRACE, PARENT, LINK] = ['a'.repeat(32), 'b'.repeat(16), 'c'.repeat(16)];
const CONVERSATION = { 'gen_ai.conversation.id': 'chat' };

it('puts a span below the caller, and requests below the span, with its conversation', async () => {
  const { spans, ended } = recordSpans();
  const parent = { traceparent: `00-${TRACE}-${PARENT}-0b`, tracestate: 'vendor=1' };
  const link = { traceparent: `00-${TRACE}-${LINK}-01` };
  await spans.span({ name: 'turn', parent, link, facts: CONVERSATION }, async ({ note }) => {
    expect(currentTrace()).toEqual({
      traceparent: expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-01$`),
      tracestate: 'vendor=1',
    });
    note({ steps: 2 });
    spans.request({ name: 'chat', parent: currentTrace(), facts: { model: 'demo' } }).end();
    spans.requestBelow('read', {})?.end();
  });
  const [chat, read, turn] = ended();
  expect(turn).toMatchObject({
    kind: 0,
    trace: TRACE,
    attributes: { ...CONVERSATION, steps: 2 },
    parent: { spanId: PARENT, isRemote: true, traceFlags: 11 },
    links: [{ spanId: LINK, isRemote: true }],
  });
  expect(turn?.links[0]).not.toHaveProperty('traceState');
  const below = { kind: 2, trace: TRACE, parent: { spanId: turn?.id }, links: [] };
  expect(chat).toMatchObject({ ...below, attributes: { ...CONVERSATION, model: 'demo' } });
  expect(read).toMatchObject({ ...below, attributes: {} });
  for (const span of [chat, read]) expect(span?.parent?.isRemote).toBeFalsy();
});

it('begins a trace without a parent, and one below another program if the parent is not the current span', async () => {
  const { spans, ended } = recordSpans();
  const parent = { traceparent: `00-${TRACE}-${PARENT}-00` };
  await spans.span({ name: 'turn', parent: undefined, facts: {} }, async () => {
    expect(currentTrace()).not.toHaveProperty('tracestate');
    spans.request({ name: 'chat', parent: { traceparent: `00-${TRACE}-${LINK}-01` }, facts: {} }).end();
    // The caller does not sample its trace, so neither does this kernel.
    const unsampled = spans.request({ name: 'unsampled', parent, facts: {} });
    expect(unsampled.context.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    unsampled.end();
  });
  const [chat, turn, ...others] = ended();
  expect(turn).toMatchObject({ name: 'turn', parent: undefined });
  expect(chat?.parent).toMatchObject({ spanId: LINK, isRemote: true });
  expect(others).toEqual([]);
});

it('ends a span once, with its work, which has failed if it rejects', async () => {
  const { spans, ended } = recordSpans();
  const failing = spans.span({ name: 'turn', parent: undefined, facts: {} }, async () => {
    expect(ended()).toEqual([]);
    throw new TypeError('hush');
  });
  await expect(failing).rejects.toThrow(new TypeError('hush'));
  const request = spans.request({ name: 'chat', parent: undefined, facts: {} });
  request.end();
  request.end();
  expect(ended()).toMatchObject([
    { name: 'turn', attributes: { 'error.type': 'TypeError' }, status: { code: 2 } },
    { name: 'chat', attributes: {}, status: { code: 0 } },
  ]);
});

it('puts nothing below a span that has ended, and nothing outside of a span', async () => {
  const { spans, ended } = recordSpans();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let detached: Promise<void> | undefined;
  await spans.span({ name: 'turn', parent: undefined, facts: CONVERSATION }, async () => {
    detached = over.then(() => {
      expect(spans.requestBelow('read', {})).toBeUndefined();
      spans.request({ name: 'chat', parent: undefined, facts: {} }).end();
    });
  });
  resolve();
  await detached;
  expect(spans.requestBelow('read', {})).toBeUndefined();
  const [, chat] = ended();
  expect(chat?.attributes).toEqual({});
});

it('returns the code of an error or its name, never its message', () => {
  expect(describeCause(Object.assign(new Error('hush'), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
  expect(describeCause(Object.assign(new TypeError('hush'), { code: 7 }))).toBe('TypeError');
});

it('returns the status of an ending, and _OTHER for any other value', () => {
  expect(describeCause({ status: 'cancelled' })).toBe('cancelled');
  for (const thrown of [{ status: 500 }, {}, null, undefined, 'hush', 7])
    expect(describeCause(thrown)).toBe('_OTHER');
});
