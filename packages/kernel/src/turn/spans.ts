/**
 * Creates the spans of a turn, with the OpenTelemetry names for generative AI (`gen_ai.*`) or custom names if there are
 * none.
 */
import type { Span, SpanStart, Tool, ToolOutput, TraceContext } from '../ports/index.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * The span of a turn. A turn that begins with its request is part of that request's trace. A turn that waited or slept
 * gets a separate trace, because a trace cannot stay open for hours.
 */
export function spanOfTurn({ record }: Pick<RunningTurn, 'record'>): SpanStart {
  const { id, chat_id, status, parameters } = record;
  const asked = parameters.trace;
  return {
    name: 'invoke_agent',
    ...(status === 'running' ? { parent: asked } : { parent: undefined, link: asked }),
    facts: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': chat_id,
      'chat_kernel.turn.id': id,
    },
  };
}

/** Records how a turn ended. */
export function noteEnd(span: Span, { model: { id: model, usage }, outcome }: RunningTurn): void {
  span.note({
    'gen_ai.request.model': model ?? undefined,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'chat_kernel.turn.status': outcome.status ?? undefined,
  });
  if (outcome.status === 'failed') span.fail(outcome.errorCode ?? 'internal');
}

/** The span of a sub-agent. The model chose its name. @param call the call that started it */
export const spanOfAgent = ({ turn }: Run, call: SpanStart['parent']): SpanStart => ({
  name: 'invoke_agent',
  parent: call,
  facts: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': turn.record.chat_id,
    'chat_kernel.turn.id': turn.record.id,
  },
});

/** Runs a call in its span. @param tool undefined: there is no tool with that name */
export function inSpanOfCall<Output extends ToolOutput>(
  run: Run,
  callId: string,
  tool: Tool | undefined,
  { tracing }: Pick<TurnServices, 'tracing'>,
  call: (trace: TraceContext | undefined) => Promise<Output>,
): Promise<Output> {
  const start = {
    name: `execute_tool${tool ? ` ${tool.name}` : ''}`,
    parent: run.trace,
    facts: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.conversation.id': run.turn.record.chat_id,
      'gen_ai.tool.name': tool?.name,
      'gen_ai.tool.call.id': callId,
      'chat_kernel.tool.source': tool?.source,
    },
  };
  return tracing.span(start, async span => {
    const output = await call(span.context);
    if (output.is_error) span.fail(output.refused ? 'refused' : 'tool_error');
    return output;
  });
}
