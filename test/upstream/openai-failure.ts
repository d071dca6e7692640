/** Builds the error bodies of OpenAI; its two APIs differ only in the text about a full context. */
import type { FailureKind } from './reply.ts';

/**
 * Builds the failure. `field` is where the API has the conversation: `messages` (chat completions) or `input`
 * (Responses).
 */
export function openaiFailure(
  field: 'messages' | 'input',
  kind: FailureKind,
  message?: string,
): { status: number; body: { error: OpenaiError } } {
  const [status, type, code, words] = FAILURES[kind];
  const said = kind === 'context_overflow' && field === 'input' ? INPUT_OVERFLOW : words;
  const param = kind === 'context_overflow' ? field : null;
  return { status, body: { error: { message: message ?? said, type, param, code } } };
}

interface OpenaiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

const INPUT_OVERFLOW =
  'Your input exceeds the context window of this model. Please adjust your input and try again.';

/** Failure kind → status, type, code, message. */
const FAILURES: Record<FailureKind, [number, string, string | null, string]> = {
  rate_limited: [
    429,
    'requests',
    'rate_limit_exceeded',
    'Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
  ],
  quota: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  unauthorized: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: x.'],
  server_error: [
    500,
    'server_error',
    null,
    'The server had an error while processing your request. Sorry about that!',
  ],
  overloaded: [
    503,
    'service_unavailable',
    null,
    'The engine is currently overloaded, please try again later.',
  ],
  context_overflow: [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. " +
      'Please reduce the length of the messages.',
  ],
  bad_request: [400, 'invalid_request_error', null, 'The request is not valid.'],
};
