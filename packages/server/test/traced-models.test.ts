/** Tests the spans of model requests, recorded by the real OpenTelemetry. */
import {
  currentTrace,
  inTrace,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  type Models,
} from '@chat-kernel/kernel';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import type { Spans } from '../src/telemetry/spans.ts';
import { tracedModels } from '../src/telemetry/traced-models.ts';
import { recordSpans } from './record-spans.ts';

const PARENT = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'k=v' };
const NONE = new AbortController().signal;

describe('[API-2] a model request', () => {
  const USAGE = { prompt_tokens: 4, completion_tokens: 3, reasoning_tokens: 2, cached_tokens: 1 };
  const EVENTS: ModelEvent[] = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
    { type: 'finish', reason: 'stop', usage: USAGE },
  ];
  const FACTS = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'p',
    'gen_ai.request.model': 'm/x',
  };

  /** A traced model with these events, and the requests that it got. */
  function model(spans: Spans, events: () => AsyncIterable<ModelEvent>) {
    const requests: ModelRequest[] = [];
    const inner = {
      record: { id: 'p/m/x' },
      stream(request: ModelRequest) {
        requests.push(request);
        return events();
      },
    } as unknown as LanguageModel;
    const found = {
      find: (id: string) => (id === 'p/m/x' ? inner : undefined),
      default: () => inner,
      rateLimits: () => ({ p: 1 }),
    } as unknown as Models;
    return { models: tracedModels(found, spans), requests };
  }
  const request = { cache_key: 'c' } as ModelRequest;

  it('is a span below its turn, with the usage, and passes all events on', async () => {
    const { spans, ended } = recordSpans();
    const traces: unknown[] = [];
    const { models, requests } = model(spans, async function* () {
      traces.push(currentTrace());
      yield* EVENTS;
    });
    const received: ModelEvent[] = [];
    let began = 0;
    await inTrace(PARENT, async () => {
      for await (const event of models.find('p/m/x')!.stream(request, NONE)) {
        // Later events do not change the time of the first one.
        if (received.push(event) === 1) began = performance.now();
        while (performance.now() - began < 30);
        expect(currentTrace()).toBe(PARENT);
      }
    });
    expect(received).toEqual(EVENTS);
    const { name, kind, parent, status, attributes, id, trace } = ended()[0]!;
    const { 'gen_ai.response.time_to_first_chunk': seconds, ...others } = attributes;
    expect(seconds).toBeLessThan(0.03);
    expect(seconds).toBeGreaterThan(0);
    expect([name, kind, parent?.spanId, status.code]).toEqual([
      'chat m/x',
      SpanKind.CLIENT,
      'b'.repeat(16),
      SpanStatusCode.UNSET,
    ]);
    expect(others).toEqual({
      ...FACTS,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 4,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.usage.cache_read.input_tokens': 1,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
    // The provider gets the span as the parent of its own.
    const context = { traceparent: `00-${trace}-${id}-01`, tracestate: 'k=v' };
    expect([trace, requests, traces]).toEqual(['a'.repeat(32), [request], [context]]);
  });

  it('notes no usage that the provider did not report', async () => {
    const { spans, ended } = recordSpans();
    const { models } = model(spans, async function* () {
      yield { type: 'finish', reason: 'length', usage: null };
    });
    await Array.fromAsync(models.default()!.stream(request, NONE));
    expect(ended()[0]?.attributes).toEqual({
      ...FACTS,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.finish_reasons': ['length'],
    });
  });

  it('fails with its code, and ends when its reader stops', async () => {
    const { spans, ended } = recordSpans();
    let isOver = false;
    const { models } = model(spans, async function* () {
      try {
        yield EVENTS[0]!;
        throw Object.assign(new Error('hush'), { code: 'ECONNRESET' });
      } finally {
        isOver = true;
      }
    });
    // A loop would also end the span when it stops reading.
    const failing = models.default()!.stream(request, NONE)[Symbol.asyncIterator]();
    await failing.next();
    await expect(failing.next()).rejects.toThrow('hush');
    isOver = false;
    for await (const event of models.default()!.stream(request, NONE)) {
      expect(event).toEqual(EVENTS[0]);
      break;
    }
    expect(isOver).toBe(true);
    expect(ended().map(({ status, attributes }) => [status.code, attributes['error.type']])).toEqual([
      [SpanStatusCode.ERROR, 'ECONNRESET'],
      [SpanStatusCode.UNSET, undefined],
    ]);
  });

  it('ends also if its model has nothing to end', async () => {
    const { spans, ended } = recordSpans();
    const next = async () => ({ done: false as const, value: EVENTS[0]! });
    const { models } = model(spans, () => ({ [Symbol.asyncIterator]: () => ({ next }) }));
    const events = models.default()!.stream(request, NONE)[Symbol.asyncIterator]();
    await events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(ended()).toHaveLength(1);
  });

  it('is traced by the same model each time, and other parts of the models stay as they are', () => {
    const { models } = model(recordSpans().spans, async function* () {});
    expect(models.find('p/m/x')).toBe(models.default());
    expect([models.find('p/y'), models.rateLimits()]).toEqual([undefined, { p: 1 }]);
  });
});
