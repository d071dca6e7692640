/** The wire to a provider: the only interface behind which the kinds of providers differ. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import type { ModelEntry } from '../catalogue/index.ts';
import type { TripConnection } from '../trip/connection.ts';

export type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number];
type WireOptions = Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'reasoning' | 'providerOptions'>;

/** A schema that the answer has to fit. */
export type ResponseFormat = Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>;

interface WireRequest extends WireOptions {
  prompt: LanguageModelV4Prompt;
  tools?: LanguageModelV4FunctionTool[];
  responseFormat?: ResponseFormat;
  abortSignal: AbortSignal;
}

/** The parts of an answer, as they come. */
export interface PartSource {
  /** Returns the parts that came since the last read, at least one; null at the end. Rejects with what broke the answer. */
  read(): Promise<LanguageModelV4StreamPart[] | null>;
}

/** A model at the end of a connection. */
export interface WireModel {
  /** Resolves when the answer begins. */
  open(request: WireRequest): Promise<PartSource>;
}

/** A provider whose package is imported. */
export interface ProviderWire {
  /** Returns a model whose only request goes through this connection. */
  connect(model: string, connection: TripConnection): WireModel;
  /**
   * Translates effort, output limit and cache key. `thinks` false: no reasoning option may be sent; `quiet`: no summary
   * of the reasoning is wanted.
   */
  options(call: {
    entry: ModelEntry;
    request: ModelRequest;
    prompt: LanguageModelV4Prompt;
    thinks: boolean;
    quiet: boolean;
  }): WireOptions;
  /** Leaves out parts that this wire refuses when their counterparts are missing. */
  tidy?(parts: AssistantPart[]): AssistantPart[];
  /** Translates the id of a call into the alphabet that this wire takes; the same id always becomes the same. */
  callId(id: string): string;
  /** Marks in place where the provider may cut the prompt for its cache. */
  mark?(
    prompt: LanguageModelV4Prompt,
    tools: LanguageModelV4FunctionTool[],
    cache: ModelRequest['cache'],
  ): void;
}
