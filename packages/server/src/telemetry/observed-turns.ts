/**
 * Records turns, sub-agents and calls as spans, with the OpenTelemetry names for generative AI (`gen_ai.*`) or custom
 * names if there are none.
 */
import { currentTrace, type ObservedRun, type TurnObserver } from '@chat-kernel/kernel';
import type { Span, SpanStart, Spans } from './spans.ts';

export const observeTurns = (spans: Spans): TurnObserver => ({
  run: (run, work) =>
    spans.span(spanOfRun(run), async span => {
      const result = await work();
      if (run.agent === undefined) noteEnd(span, run.turn);
      return result;
    }),
  call({ turn }, { id, tool }, work) {
    const start = {
      name: `execute_tool${tool ? ` ${tool.name}` : ''}`,
      parent: currentTrace(),
      facts: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.conversation.id': turn.record.chat_id,
        'gen_ai.tool.name': tool?.name,
        'gen_ai.tool.call.id': id,
        'chat_kernel.tool.source': tool?.source,
      },
    };
    return spans.span(start, async span => {
      const output = await work();
      if (output.is_error) span.fail(output.refused ? 'refused' : 'tool_error');
      return output;
    });
  },
});

/**
 * A turn that begins with its request is part of that request's trace. A turn that waited or slept gets a separate
 * trace, because a trace cannot stay open for hours. The name of a sub-agent is left out, because the model chose it.
 */
function spanOfRun({ turn: { record }, agent }: ObservedRun): SpanStart {
  const trace = currentTrace();
  const isSeparate = agent === undefined && record.status !== 'running';
  return {
    name: 'invoke_agent',
    ...(isSeparate ? { parent: undefined, link: trace } : { parent: trace }),
    facts: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': record.chat_id,
      'chat_kernel.turn.id': record.id,
    },
  };
}

/** Records how a turn ended. */
function noteEnd(span: Span, { model: { id: model, usage }, outcome }: ObservedRun['turn']): void {
  span.note({
    'gen_ai.request.model': model ?? undefined,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'chat_kernel.turn.status': outcome.status ?? undefined,
  });
  if (outcome.status === 'failed') span.fail(outcome.errorCode ?? 'internal');
}
