/** The spans of a turn, by the names that OpenTelemetry has for the work of models (`gen_ai.*`), and by ours where it has none. */
import type { Span, SpanStart, Tool, ToolOutput, TraceContext } from '../ports/index.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * The span of a turn. One that begins with its request is part of that request's trace; one that waited or slept has a
 * trace of its own, for nobody holds a trace open until the morning.
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

/** Notes how a turn has ended. */
export function noteEnd(span: Span, { model, usage, outcome }: RunningTurn): void {
  span.note({
    'gen_ai.request.model': model ?? undefined,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'chat_kernel.turn.status': outcome.status ?? undefined,
  });
  if (outcome.status === 'failed') span.fail(outcome.errorCode ?? 'internal');
}

/** The span of a sub-agent, whose name is its model's own words. @param call the call that has set it to work */
export const spanOfAgent = ({ turn }: Run, call: SpanStart['parent']): SpanStart => ({
  name: 'invoke_agent',
  parent: call,
  facts: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': turn.record.chat_id,
    'chat_kernel.turn.id': turn.record.id,
  },
});

/** Runs a call in its span. @param tool undefined: the model has made up its name */
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
