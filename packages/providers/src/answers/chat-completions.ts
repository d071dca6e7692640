/**
 * Parses the streamed response of POST /chat/completions. Servers differ, so the reader accepts the fields of all of
 * them. Each piece is parsed once.
 */
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { type AnswerPart, type AnswerReader, asObjects, isText, unread } from './answer.ts';
import { type CallPiece, PartialCalls } from './calls.ts';

/** The fields of a stream event that the reader uses. Any of them may be missing. */
interface Chunk {
  choices?: Choice[] | null;
  usage?: ChatUsage | null;
  x_groq?: { usage?: ChatUsage | null } | null;
}
interface Choice {
  delta?: Delta | null;
  /** The whole answer, from servers that do not stream. */
  message?: Delta | null;
  finish_reason?: string | null;
  usage?: ChatUsage | null;
}
/** A part of a content that is a list; a part of thinking has its text in such a list. */
interface ContentPart {
  type?: string;
  text?: string | null;
  refusal?: string | null;
  thinking?: string | ContentPart[] | null;
  image_url?: { url?: string } | string | null;
}
interface Delta {
  content?: string | ContentPart[] | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: CallPiece[] | null;
  /** The call of older servers, which make only one. */
  function_call?: CallPiece['function'];
  images?: ContentPart[] | null;
}
interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

export class ChatCompletionsReader implements AnswerReader {
  readonly #calls: PartialCalls;
  #reason: string | undefined;
  #usage: ChatUsage | undefined;
  #refused = false;

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#calls = new PartialCalls(provider);
  }

  read(event: object, parts: AnswerPart[]): void {
    const chunk: Chunk = event;
    const choice = chunk.choices?.[0];
    this.#usage = chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage ?? this.#usage;
    const delta = choice?.delta ?? choice?.message;
    if (delta) this.#readDelta(delta, parts);
    if (isText(choice?.finish_reason)) this.#reason = choice.finish_reason;
    // Without an end mark after it, a whole answer is complete.
    if (choice?.message && !choice.delta) this.#reason ??= 'stop';
  }

  /** Some servers send no [DONE]; if there is no finish reason either, the answer was interrupted. */
  end(parts: AnswerPart[], isMarked: boolean): void {
    const reason = this.#reason ?? (isMarked ? 'stop' : undefined);
    // Calls of an interrupted response may have incomplete input.
    if (reason !== undefined) parts.push(...this.#calls.toParts());
    const unified = REASONS.get(reason ?? '') ?? 'other';
    parts.push({
      type: 'finish',
      // Servers report a refusal as a normal stop.
      finishReason: {
        unified: unified === 'stop' && this.#refused ? 'content-filter' : unified,
        raw: reason,
      },
      usage: parseUsage(this.#usage),
    });
  }

  #readDelta(delta: Delta, parts: AnswerPart[]): void {
    const thinking = delta.reasoning_content ?? delta.reasoning;
    if (isText(thinking)) parts.push({ type: 'reasoning-delta', id: 'thinking', delta: thinking });
    this.#readContent(delta.content, parts);
    this.#readRefusal(delta.refusal, parts);
    if (delta.function_call) this.#calls.add({ index: 0, function: delta.function_call });
    if (delta.tool_calls) for (const piece of asObjects(delta.tool_calls)) this.#calls.add(piece);
    if (delta.images) for (const image of asObjects(delta.images)) readImage(image, parts);
  }

  #readContent(content: Delta['content'], parts: AnswerPart[]): void {
    if (isText(content)) parts.push({ type: 'text-delta', id: 'text', delta: content });
    if (!Array.isArray(content)) return;
    for (const part of asObjects(content) as ContentPart[]) {
      switch (part.type) {
        case 'thinking':
        case 'reasoning': {
          const thinking = part.thinking ?? part.text;
          const delta = Array.isArray(thinking)
            ? asObjects(thinking)
                .map(({ text }) => (isText(text) ? text : ''))
                .join('')
            : thinking;
          if (isText(delta)) parts.push({ type: 'reasoning-delta', id: 'thinking', delta });
          break;
        }
        case 'refusal':
          this.#readRefusal(part.refusal, parts);
          break;
        case 'image_url':
          readImage(part, parts);
          break;
        default:
          if (isText(part.text)) parts.push({ type: 'text-delta', id: 'text', delta: part.text });
          else if (part.type !== 'text') parts.push(unread(`content part ${part.type}`, true));
      }
    }
  }

  #readRefusal(delta: string | null | undefined, parts: AnswerPart[]): void {
    if (!isText(delta)) return;
    this.#refused = true;
    const providerMetadata = { compatible: { refusal: true } };
    parts.push({ type: 'text-delta', id: 'refusal', delta, providerMetadata });
  }
}

function readImage({ image_url }: ContentPart, parts: AnswerPart[]): void {
  const url = typeof image_url === 'string' ? image_url : image_url?.url;
  const [, mediaType, data] = /^data:([^;,]+);base64,(.+)$/s.exec(isText(url) ? url : '') ?? [];
  if (mediaType && data) parts.push({ type: 'file', mediaType, data: { type: 'data', data } });
}

const REASONS: ReadonlyMap<string, LanguageModelV4FinishReason['unified']> = new Map(
  Object.entries({
    stop: 'stop',
    length: 'length',
    content_filter: 'content-filter',
    tool_calls: 'tool-calls',
    function_call: 'tool-calls',
    // The server failed: OpenRouter, Zhipu, DeepSeek.
    error: 'error',
    network_error: 'error',
    insufficient_system_resource: 'error',
  } as const),
);

/** Some servers (xAI) do not include reasoning in the completion tokens, which shows in the total. */
function parseUsage(usage: ChatUsage | undefined): LanguageModelV4Usage {
  const prompt = usage?.prompt_tokens ?? undefined;
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  let completion = usage?.completion_tokens ?? undefined;
  if (reasoning && usage?.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning) {
    completion = (completion ?? 0) + reasoning;
  }
  return {
    inputTokens: { total: prompt, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: completion, text: undefined, reasoning },
  };
}
