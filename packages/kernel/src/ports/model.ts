/** Defines language models for the kernel: a request goes in, events come out. */
import type {
  Effort,
  ImageMediaType,
  JsonObject,
  Model,
  ModelList,
  ProviderWaitReason,
  StopReason,
  TurnError,
  TurnErrorCode,
} from '@chat-kernel/protocol';
import type { Origin, StoredMessage } from './store/stored-message.ts';

/** A tool in the form that a model gets. */
export interface ToolDeclaration {
  name: string;
  description: string;
  /** JSON Schema of the input: an object. */
  input_schema: JsonObject;
}

export interface ModelRequest {
  system: string;
  /**
   * The history after `history/repair.ts`: every call has its result, roles alternate, no message is empty, and senders
   * are named in the text (HIST-3).
   */
  messages: readonly Pick<StoredMessage, 'role' | 'content'>[];
  /** The tools, in an order that never changes, so that the prefix of the prompt stays the same. */
  tools: readonly ToolDeclaration[];
  /** The reasoning level, one of the model's `efforts`. */
  effort: Effort;
  max_output_tokens?: number;
  /** A key shared by all requests of a chat: providers use it to route to a warm cache. */
  cache_key: string;
  /** Loads the bytes of an image block whose `internal.image_id` is set. */
  loadImage(id: string): Promise<Uint8Array | undefined>;
  /** JSON Schema of the object that the answer must contain as JSON in its text. */
  schema?: JsonObject;
  /** The part of the prompt that the provider should cache; absent: all of it, because it only grows. */
  cache?: 'system' | 'nothing';
  /** Called when a pause before a retry begins, and with null when it is over. */
  onWait?: (wait: ProviderWait | null) => void;
  /** Called when the provider refused a part of the request, which is left out from now on (WIRE-8). */
  onRepair?: (repair: RequestRepair) => void;
}

/** A part that is left out of a request. */
export interface RequestRepair {
  /** The name of a tool; null: a part of an earlier message. */
  tool: string | null;
  /** The refusal as a sentence. */
  why: string;
}

/** A pause before a retry of a provider request. */
export interface ProviderWait {
  /** When the pause ends (RFC 3339). */
  until: string;
  /** The number of the retry, from 1 to `of`. */
  attempt: number;
  /** The maximum number of retries of one request. */
  of: number;
  reason: ProviderWaitReason;
}

/**
 * The tokens of a provider request. `cached_tokens` is part of `prompt_tokens`, `reasoning_tokens` of
 * `completion_tokens`.
 */
export interface TripUsage {
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  cached_tokens: number;
}

/** Why a provider request ended. `tools`: calls wait for their results. */
export type FinishReason = Extract<StopReason, 'stop' | 'tools' | 'length' | 'content_filter' | 'other'>;

/** Deltas of one block are consecutive; another kind of event, or `end`, closes the open block. */
export type ModelEvent =
  | { type: 'text'; text: string; refusal?: true }
  | { type: 'thinking'; text: string }
  /** Closes the open block of this kind. If no block is open, an origin creates an empty block that contains it. */
  | { type: 'end'; block: 'text' | 'thinking'; origin?: Origin }
  /**
   * A complete call with the id of the provider: possibly empty or used before. `invalid` contains text that was not a
   * JSON object; input is then {}.
   */
  | { type: 'call'; id: string; name: string; input: JsonObject; invalid?: string; origin?: Origin }
  /** A part of the answer was not understood, and its content is lost (WIRE-10). `shape`: its name on the API. */
  | { type: 'unread'; shape: string }
  | { type: 'image'; media_type: ImageMediaType; bytes: Uint8Array }
  /** `schema_enforced`: the provider was requested to follow the schema, and has not reported that it cannot. */
  | { type: 'finish'; reason: FinishReason; usage: TripUsage | null; schema_enforced?: boolean };

export interface LanguageModel {
  readonly record: Model;
  /** The demo model, which cannot understand requests: it is only used for turns. */
  readonly demo?: true;
  /**
   * Makes one provider request. Retries before the first event if possible (429, 5xx, broken connections; at most 3
   * times, respecting retry-after). Ends with `finish`, or throws a ModelError. Aborting the signal ends the provider's
   * request down to the socket.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The tools that requests leave out; absent: the model gets all tools. */
  omittedTools?(): readonly OmittedTools[];
}

/** Tools that a model does not get (WIRE-7, WIRE-8). */
export interface OmittedTools {
  tools: readonly string[];
  /** The reason, as the second half of a sentence. */
  why: string;
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
  /** The model with an id; undefined if no configured provider has it. */
  find(id: string): LanguageModel | undefined;
  /** The model for chats that name none; undefined if no model can be used. */
  default(): LanguageModel | undefined;
  /** The most recent limits that each provider reported, by provider name. */
  rateLimits(): Record<string, RateLimits>;
}

/** Thrown if a provider request failed; `code` is the code of the SSE error event. */
export class ModelError extends Error {
  readonly code: TurnErrorCode;
  readonly retryable: boolean;
  /** The status and the retry delay of the provider, if it responded. */
  provider: Pick<TurnError, 'provider_status' | 'retry_after_secs'> = {};

  constructor(code: TurnErrorCode, message: string, retryable: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = retryable;
  }
}
