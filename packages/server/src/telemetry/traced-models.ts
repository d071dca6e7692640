/** Records model requests as spans, with the names that OpenTelemetry defines for models. */
import { currentTrace, inTrace, type LanguageModel, type ModelEvent, type Models } from '@chat-kernel/kernel';
import { describeCause, type Span, type Spans } from './spans.ts';

export function tracedModels<Found extends Models>(models: Found, spans: Spans): Found {
  const traced = new WeakMap<LanguageModel, LanguageModel>();
  const trace = (model: LanguageModel | undefined): LanguageModel | undefined => {
    if (model === undefined) return undefined;
    const known = traced.get(model) ?? tracedModel(model, spans);
    traced.set(model, known);
    return known;
  };
  return { ...models, find: id => trace(models.find(id)), default: () => trace(models.default()) };
}

function tracedModel(model: LanguageModel, spans: Spans): LanguageModel {
  const { id } = model.record;
  const slash = id.indexOf('/');
  const name = id.slice(slash + 1);
  const facts = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': id.slice(0, slash),
    'gen_ai.request.model': name,
  };
  return {
    ...model,
    stream(request, signal) {
      const span = spans.request({ name: `chat ${name}`, parent: currentTrace(), facts });
      const events = model.stream(request, signal);
      return { [Symbol.asyncIterator]: () => traced(events[Symbol.asyncIterator](), span) };
    },
  };
}

/** Passes the events on unchanged; the span ends with them, or when the consumer stops reading. */
function traced(events: AsyncIterator<ModelEvent>, span: Span): AsyncIterator<ModelEvent> {
  const began = performance.now();
  let isFirst = true;
  return {
    async next() {
      try {
        const next = await inTrace(span.context, () => events.next());
        if (isFirst) noteFirst(span, began);
        isFirst = false;
        if (next.done) span.end();
        else if (next.value.type === 'finish') noteFinish(span, next.value);
        return next;
      } catch (error) {
        span.fail(describeCause(error));
        span.end();
        throw error;
      }
    },
    async return(value) {
      span.end();
      return (await events.return?.(value)) ?? { done: true, value };
    },
  };
}

const noteFirst = (span: Span, began: number): void =>
  span.note({ 'gen_ai.response.time_to_first_chunk': (performance.now() - began) / 1000 });

function noteFinish(span: Span, { reason, usage }: Extract<ModelEvent, { type: 'finish' }>): void {
  span.note({
    'gen_ai.response.finish_reasons': [reason],
    'gen_ai.usage.input_tokens': usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': usage?.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached_tokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning_tokens,
  });
}
