/** Anthropic messages: content blocks that start, grow and stop between message_start and message_stop. */
import { type AnthropicMemory, refuseMessages } from './anthropic-validation.ts';
import { argumentsOf, type FailureKind, type Finish, piecesOf, type ScriptedUsage } from './reply.ts';
import { frame, freshId, type ScriptedWire, type Speech, type SpokenReply } from './wire.ts';

export function anthropic(): ScriptedWire {
  const memory: AnthropicMemory = { signatures: new Map(), redacted: new Set(), calls: new Map() };
  return {
    name: 'anthropic',
    model: (path, body) => (path === '/v1/messages' ? String(body.model) : undefined),
    refuse: request => refuseMessages(request.body, request.headers, memory),
    speak: facts => speak(facts, memory),
    failure,
  };
}

const STOP_REASON: Record<Finish, string> = {
  stop: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

function speak({ request, usage }: SpokenReply, memory: AnthropicMemory): Speech {
  const thinkingOn = ['enabled', 'adaptive'].includes(request.body.thinking?.type);
  let blocks = 0;
  let thought = false;

  const event = (type: string, facts: object = {}) => frame({ type, ...facts }, type);
  const block = (start: object, deltas: object[]): string[] => {
    const index = blocks++;
    return [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map(delta => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
  };

  return {
    open: () => [
      event('message_start', {
        message: {
          id: freshId('msg_'),
          type: 'message',
          role: 'assistant',
          model: request.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: usage ? { ...promptOnWire(usage), output_tokens: 1 } : { input_tokens: 0, output_tokens: 0 },
        },
      }),
      event('ping'),
    ],
    steps: {
      thinking(step) {
        const signature = step.signature ?? freshId('EqQB');
        memory.signatures.set(signature, piecesOf(step.thinking).join(''));
        thought ||= blocks === 0;
        return block({ type: 'thinking', thinking: '', signature: '' }, [
          ...piecesOf(step.thinking).map(thinking => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature },
        ]);
      },
      redacted(step) {
        memory.redacted.add(step.redacted);
        thought ||= blocks === 0;
        return block({ type: 'redacted_thinking', data: step.redacted }, []);
      },
      text(step) {
        const deltas = piecesOf(step.text).map(text => ({ type: 'text_delta', text }));
        return block({ type: 'text', text: '' }, deltas);
      },
      call(step) {
        const { name, id = freshId('toolu_') } = step.call;
        memory.calls.set(id, { thinkingOn, thought });
        const deltas = ['', ...argumentsOf(step.call).pieces].map(partial_json => ({
          type: 'input_json_delta',
          partial_json,
        }));
        return block({ type: 'tool_use', id, name, input: {} }, deltas);
      },
      image() {
        throw new Error('The messages API has no images in its answers: script another wire');
      },
      error: step => [event('error', failure(step.error).body)],
    },
    close: finish => [
      event('message_delta', {
        delta: { stop_reason: STOP_REASON[finish], stop_sequence: null },
        usage: usage
          ? {
              ...promptOnWire(usage),
              output_tokens: usage.completion,
              output_tokens_details: { thinking_tokens: usage.reasoning },
            }
          : { output_tokens: 0 },
      }),
      event('message_stop'),
    ],
  };
}

/** Anthropic counts tokens read from and written to the cache separately from other input. */
const promptOnWire = (usage: ScriptedUsage) => ({
  input_tokens: usage.prompt - usage.cached - usage.written,
  cache_creation_input_tokens: usage.written,
  cache_read_input_tokens: usage.cached,
});

function failure(kind: FailureKind, message?: string): { status: number; body: object } {
  const [status, type, words] = FAILURES[kind];
  return {
    status,
    body: { type: 'error', error: { type, message: message ?? words }, request_id: freshId('req_') },
  };
}

/** Failure kind → status, type, message. */
const FAILURES: Record<FailureKind, [number, string, string]> = {
  rate_limited: [
    429,
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 50 requests per minute.",
  ],
  quota: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
  unauthorized: [401, 'authentication_error', 'invalid x-api-key'],
  server_error: [500, 'api_error', 'Internal server error'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  context_overflow: [400, 'invalid_request_error', 'prompt is too long: 200135 tokens > 200000 maximum'],
  bad_request: [400, 'invalid_request_error', 'The request is not valid.'],
};
