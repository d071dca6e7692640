/**
 * Parses the streamed response of POST /chat/completions. Servers differ, so the reader accepts the fields of all of
 * them. Each piece is parsed once.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { CallBounds } from '../trip/bounds.ts';

/** The fields of a stream event that the reader uses. Any of them may be missing. */
interface Chunk {
  choices?: { delta?: Delta | null; finish_reason?: string | null }[];
  usage?: ChatUsage | null;
  error?: unknown;
}
interface Delta {
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: CallPiece[] | null;
  images?: { image_url?: { url?: string } }[] | null;
}
interface CallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
  extra_content?: { google?: { thought_signature?: string | null } | null } | null;
}
interface PartialCall {
  id: string;
  name: string;
  input: string;
  signature: string | undefined;
}
interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

export class AnswerReader {
  readonly #calls: PartialCall[] = [];
  readonly #bounds: CallBounds;
  /** Index on the wire → the call to which pieces with this index belong. */
  readonly #byIndex = new Map<number, PartialCall>();
  #reason: string | undefined;
  #usage: ChatUsage | undefined;
  #refused = false;
  #ended = false;

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#bounds = new CallBounds(provider);
  }

  /**
   * Reads the data of an event and adds its parts to `parts`.
   * @throws ModelError, or if the response has an unexpected shape
   */
  read(data: string, parts: LanguageModelV4StreamPart[]): void {
    if (this.#ended) return;
    if (data === '[DONE]') {
      this.#finish(parts, 'stop');
      return;
    }
    const chunk = parseChunk(data);
    if (chunk === undefined || chunk.error) {
      this.#ended = true;
      parts.push({
        type: 'error',
        error: chunk ?? new Error(`The response is not JSON: ${data.slice(0, 200)}`),
      });
      return;
    }
    if (chunk.usage) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice?.delta) this.#readDelta(choice.delta, parts);
    if (choice?.finish_reason) this.#reason = choice.finish_reason;
  }

  /** Ends the stream. Some servers send no [DONE]; if there is no finish reason either, the stream was interrupted. */
  end(parts: LanguageModelV4StreamPart[]): void {
    if (!this.#ended) this.#finish(parts, undefined);
  }

  #readDelta(delta: Delta, parts: LanguageModelV4StreamPart[]): void {
    const thinking = delta.reasoning_content ?? delta.reasoning;
    if (isText(thinking)) parts.push({ type: 'reasoning-delta', id: 'thinking', delta: thinking });
    if (isText(delta.content)) parts.push({ type: 'text-delta', id: 'text', delta: delta.content });
    if (isText(delta.refusal)) {
      this.#refused = true;
      const providerMetadata = { compatible: { refusal: true } };
      parts.push({ type: 'text-delta', id: 'refusal', delta: delta.refusal, providerMetadata });
    }
    for (const piece of delta.tool_calls ?? []) this.#readCall(piece);
    for (const image of delta.images ?? []) {
      const [, mediaType, data] = /^data:([^;,]+);base64,(.+)$/s.exec(image.image_url?.url ?? '') ?? [];
      if (mediaType && data) parts.push({ type: 'file', mediaType, data: { type: 'data', data } });
    }
  }

  #readCall(piece: CallPiece): void {
    const index = piece.index ?? this.#calls.length - (piece.id ? 0 : 1);
    let call = this.#byIndex.get(index);
    // Servers with wrong indexes give several calls the same index, but each its own id.
    if (call === undefined || (piece.id && call.id !== '' && piece.id !== call.id)) {
      call = { id: '', name: '', input: '', signature: undefined };
      this.#calls.push(call);
      this.#byIndex.set(index, call);
    }
    call.id ||= piece.id ?? '';
    call.name ||= piece.function?.name ?? '';
    const args: unknown = piece.function?.arguments ?? '';
    // A few servers send the object itself.
    const input = typeof args === 'string' ? args : JSON.stringify(args);
    this.#bounds.add(call, input);
    call.input += input;
    call.signature ??= piece.extra_content?.google?.thought_signature ?? undefined;
  }

  #finish(parts: LanguageModelV4StreamPart[], defaultReason: string | undefined): void {
    this.#ended = true;
    const reason = this.#reason ?? defaultReason;
    // Calls of an interrupted response may have incomplete input.
    if (reason !== undefined) {
      for (const { id, name, input, signature } of this.#calls) {
        parts.push({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input,
          ...(signature && { providerMetadata: { compatible: { thoughtSignature: signature } } }),
        });
      }
    }
    const unified = REASONS[reason ?? ''] ?? 'other';
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
}

/**
 * True for non-empty text. A server may send any type, and other values would be counted and joined as if they were
 * text.
 */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const REASONS: Record<string, LanguageModelV4FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

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

function parseChunk(data: string): Chunk | undefined {
  try {
    const chunk: unknown = JSON.parse(data);
    return typeof chunk === 'object' && chunk !== null ? chunk : undefined;
  } catch {
    // The caller reports text that is not JSON, with its beginning.
    return undefined;
  }
}
