/** Language models as the kernel sees them: a request goes in, events come out. */
import type {
  Effort,
  ImageMediaType,
  JsonObject,
  Model,
  ModelList,
  TurnErrorCode,
} from '@chat-kernel/protocol';
import type { Origin, StoredMessage } from './store/stored-message.ts';
import type { TraceContext } from './tracing.ts';

/** A tool as it is shown to a model. */
export interface ToolDeclaration {
  name: string;
  description: string;
  /** JSON Schema of the input: an object. */
  input_schema: JsonObject;
}

export interface ModelRequest {
  system: string;
  /**
   * The history as `history/repair.ts` leaves it: every call has its result, roles alternate, nothing is empty,
   * senders are named in the text (HIST-3).
   */
  messages: readonly Pick<StoredMessage, 'role' | 'content'>[];
  /** The tools, in an order that never changes, so that the prefix of the prompt stays the same. */
  tools: readonly ToolDeclaration[];
  /** The reasoning level, one of the model's `efforts`. */
  effort: Effort;
  max_output_tokens?: number;
  /** A key that all requests of a chat share: providers route by it to a warm cache. */
  cache_key: string;
  /** Bytes of an image block whose `internal.image_id` is set. */
  loadImage(id: string): Promise<Uint8Array | undefined>;
  /** JSON Schema of the object that the answer is to be, as JSON in its text. */
  schema?: JsonObject;
  /** The part of the prompt that the provider is asked to cache; absent: all of it, which only grows. */
  cache?: 'system' | 'nothing';
  /** The trace that the request belongs to, for the provider. */
  trace?: TraceContext | undefined;
}

/** Tokens of a trip. `cached_tokens` is part of `prompt_tokens`, `reasoning_tokens` of `completion_tokens`. */
export interface TripUsage {
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  cached_tokens: number;
}

/** Why a trip ended. `tools`: calls wait for their results. */
export type FinishReason = 'stop' | 'tools' | 'length' | 'content_filter' | 'other';

/** Deltas of one block follow each other; another kind of event, or `end`, closes the open block. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** Closes the open block of this kind. Where none is open, an origin makes an empty block that carries it. */
  | { type: 'end'; block: 'text' | 'thinking'; origin?: Origin }
  /**
   * A whole call; its id as the provider gave it: maybe empty, maybe given before. `invalid` holds the text that was no
   * JSON object; input is then {}.
   */
  | { type: 'call'; id: string; name: string; input: JsonObject; invalid?: string; origin?: Origin }
  | { type: 'image'; media_type: ImageMediaType; bytes: Uint8Array }
  /** `schema_enforced`: the provider was asked to keep to the schema, and has not said that it can't. */
  | { type: 'finish'; reason: FinishReason; usage: TripUsage | null; schema_enforced?: boolean };

export interface LanguageModel {
  readonly record: Model;
  /** The demo model, which understands nothing: it gets turns, and no requests beside them. */
  readonly demo?: true;
  /**
   * Makes one trip to the provider. Retries what may be retried before the first event (429, 5xx, broken
   * connections; at most 3 times, honouring retry-after). Ends with `finish`, or throws a ModelError.
   * Aborting the signal ends the provider's request down to the socket.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface RateLimit {
  limit: number | null;
  remaining: number | null;
  /** RFC 3339. */
  reset_at: string | null;
}

/** The last rate-limit headers of a provider. */
export interface RateLimits {
  at: string;
  requests?: RateLimit;
  tokens?: RateLimit;
}

export interface Models {
  list(): ModelList;
  /** The model of an id; undefined where no configured provider has it. */
  find(id: string): LanguageModel | undefined;
  /** The model for chats that name none; undefined where no model can be used at all. */
  default(): LanguageModel | undefined;
  /** The limits that each provider named last, by provider name. */
  rateLimits(): Record<string, RateLimits>;
}

/** A trip that failed; `code` is the code of the SSE error event. */
export class ModelError extends Error {
  readonly code: TurnErrorCode;
  readonly retryable: boolean;

  constructor(code: TurnErrorCode, message: string, retryable: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = retryable;
  }
}
