/** The body of a chat completion: what is read of it, checked. */
import { z } from 'zod';
import { invalid, type OpenAiError } from './openai-error.ts';
import { ignoredParameters, refuseParameters } from './parameters.ts';

/** A content that is one text is one part. */
const asParts = (content: unknown) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const ImagePart = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
const words = z.preprocess(asParts, z.array(TextPart));
const ToolCall = z.object({ id: z.string().min(1), function: z.object({ name: z.string() }) });

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: words }),
  z.object({
    role: z.literal('user'),
    content: z.preprocess(asParts, z.array(z.discriminatedUnion('type', [TextPart, ImagePart]))),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.preprocess(
      content => asParts(content ?? []),
      z.array(z.discriminatedUnion('type', [TextPart, RefusalPart])),
    ),
    tool_calls: z.array(ToolCall).nullish(),
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
    parameters: z.record(z.string(), z.unknown()).nullish(),
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
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(Tool).max(128).nullish(),
  tool_choice: z.enum(['auto', 'none']).nullish(),
  reasoning_effort: z.enum(Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type ChatRequest = z.infer<typeof ChatRequest> & {
  /** The value of X-Ignored-Fields. */
  ignored: string | undefined;
};

/** @throws OpenAiError */
export function readRequest(body: unknown): ChatRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(null, 'The body has to be a JSON object.');
  }
  const sent = body as Record<string, unknown>;
  refuseParameters(sent);
  const parsed = ChatRequest.safeParse(sent);
  if (parsed.success) return { ...parsed.data, ignored: ignoredParameters(sent) };
  throw mistake(parsed.error.issues[0]!);
}

function mistake({ path, message }: z.core.$ZodIssue): OpenAiError {
  const param = paramOf(path);
  return invalid(param, `${param ?? 'The body'}: ${message}`);
}

/** A place in the body as OpenAI writes it: `messages[0].content`. */
function paramOf(path: readonly PropertyKey[]): string | null {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    return index === 0 ? String(step) : `.${String(step)}`;
  });
  return steps.join('') || null;
}
