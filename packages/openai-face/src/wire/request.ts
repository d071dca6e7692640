/** Parses and validates the body of a chat completion. */
import { boundedObject, list, NameText } from '@chat-kernel/protocol';
import { z } from 'zod';
import { invalid, type OpenAiError } from './openai-error.ts';

/** The maximum number of messages in a request, and of parts in a message. */
const MAX_MESSAGES = 10_000;
const MAX_PARTS = 1000;

/** A plain text counts as one part. */
const asParts = (content: unknown) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const ImagePart = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
const FilePart = z.object({
  type: z.literal('file'),
  file: z.object({
    file_data: z.string().nullish(),
    file_id: z.string().nullish(),
    filename: z.string().nullish(),
  }),
});
const AudioPart = z.object({ type: z.literal('input_audio') });
const words = z.preprocess(asParts, list(TextPart, MAX_PARTS));
const ToolCall = z.object({ id: z.string().min(1), function: z.object({ name: z.string() }) });

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: words }),
  z.object({
    role: z.literal('user'),
    content: z.preprocess(
      asParts,
      list(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart, AudioPart]), MAX_PARTS),
    ),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.preprocess(
      content => asParts(content ?? []),
      list(z.discriminatedUnion('type', [TextPart, RefusalPart]), MAX_PARTS),
    ),
    refusal: z.string().nullish(),
    tool_calls: list(ToolCall, 1000).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: words }),
]);
export type Message = z.infer<typeof Message>;
export type MessageOf<Role extends Message['role']> = Extract<Message, { role: Role }>;

const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: boundedObject(1000).nullish(),
  }),
});

/** OpenAI's levels → the kernel's. */
export const EFFORTS = {
  none: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'mid',
  high: 'high',
  xhigh: 'high',
} as const;

const ChatRequest = z.object({
  model: NameText.min(1),
  messages: list(Message, MAX_MESSAGES).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(Tool).max(128).nullish(),
  tool_choice: z.enum(['auto', 'none']).nullish(),
  reasoning_effort: z.enum(Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  metadata: boundedObject(1000).nullish(),
});

export type ChatRequest = z.infer<typeof ChatRequest> & {
  /** The value of X-Ignored-Fields. */
  ignored: string | undefined;
};

/** @throws OpenAiError */
export function readRequest(body: unknown): ChatRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(null, 'The body must be a JSON object.');
  }
  const sent = body as Record<string, unknown>;
  refuseParameters(sent);
  const parsed = ChatRequest.safeParse(sent);
  if (parsed.success) {
    refuseAudio(parsed.data.messages);
    return { ...parsed.data, ignored: ignoredParameters(sent) };
  }
  throw mistake(parsed.error.issues[0]!);
}

/** @throws OpenAiError for a part with audio */
function refuseAudio(messages: readonly Message[]): void {
  for (const [index, { content }] of messages.entries()) {
    const place = content.findIndex(({ type }) => type === 'input_audio');
    if (place === -1) continue;
    throw invalid(
      `messages[${index}].content[${place}].type`,
      'input_audio is not supported. Transcribe it with /openai/v1/audio/transcriptions.',
      'unsupported_parameter',
    );
  }
}

/** Returns the first mistake in a body, with its location. */
export function mistake({ path, message }: z.core.$ZodIssue): OpenAiError {
  const param = formatParam(path);
  return invalid(param, `${param ?? 'The body'}: ${message}`);
}

/** A location in the body in OpenAI's notation: `messages[0].content`. */
function formatParam(path: readonly PropertyKey[]): string | null {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    return index === 0 ? String(step) : `.${String(step)}`;
  });
  return steps.join('') || null;
}

/** Parameters whose values change the meaning of the answer → whether a value changes nothing. */
const REFUSED: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: value => value === 1,
  logprobs: value => value === false,
  top_logprobs: value => value === 0,
  logit_bias: isEmpty,
  stop: isEmpty,
  response_format: value => (value as { type?: unknown }).type === 'text',
  tool_choice: value => value === 'auto' || value === 'none',
  parallel_tool_calls: value => value === true,
  modalities: value => JSON.stringify(value) === '["text"]',
  audio: () => false,
  web_search_options: () => false,
  functions: isEmpty,
  function_call: value => value === 'auto' || value === 'none',
};

/** Parameters that the face reads. */
const READ = [
  'messages',
  'model',
  'stream',
  'stream_options',
  'tools',
  'reasoning_effort',
  'max_tokens',
  'max_completion_tokens',
  'metadata',
];
/** Limits for the names in the header of an answer. */
const MAX_NAMES = 20;
const LONGEST_NAME = 50;

/**
 * Checks parameters of a chat completion that the kernel does not support: those that would change the answer are
 * rejected by name.
 * @throws OpenAiError for an unsupported parameter that would change the answer
 */
function refuseParameters(body: Readonly<Record<string, unknown>>): void {
  for (const [name, isHarmless] of Object.entries(REFUSED)) {
    const value = body[name] ?? null;
    if (value === null || isHarmless(value)) continue;
    throw invalid(name, `This parameter is not supported: ${name}. Remove it.`, 'unsupported_parameter');
  }
}

/** The header of an answer with the parameters that had no effect, as JSON pointers; undefined if there are none. */
function ignoredParameters(body: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(body).filter(
    name => !READ.includes(name) && !Object.hasOwn(REFUSED, name) && name.length <= LONGEST_NAME,
  );
  const shown = names.slice(0, MAX_NAMES).map(name => `/${encodeURIComponent(name.toWellFormed())}`);
  return shown.length === 0 ? undefined : shown.join(',');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
