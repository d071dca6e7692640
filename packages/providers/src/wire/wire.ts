/** The only interface in which the kinds of providers differ: the API of a provider. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import type { PartSource } from '../answers/answer.ts';
import type { ModelEntry } from '../catalogue/index.ts';
import type { SchemaRules } from '../schema/rules.ts';
import type { TripConnection } from '../trip/connection.ts';

export type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number];
type WireOptions = Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'reasoning' | 'providerOptions'>;

/** The schema of the answer. */
export type ResponseFormat = Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>;

interface WireRequest extends WireOptions {
  prompt: LanguageModelV4Prompt;
  tools?: LanguageModelV4FunctionTool[];
  responseFormat?: ResponseFormat;
  abortSignal: AbortSignal;
}

/** A model behind a connection. */
export interface WireModel {
  /** Resolves when the response begins. */
  open(request: WireRequest): Promise<PartSource>;
}

/** A provider whose package is imported. */
export interface ProviderWire {
  /** Returns a model whose only request uses this connection. */
  connect(model: string, connection: TripConnection): WireModel;
  /**
   * Translates effort, output limit and cache key. `thinks` false: reasoning options must be omitted; `quiet`: no
   * summary of the reasoning is requested; `renamed`: the limit has its newer name.
   */
  options(call: {
    entry: ModelEntry;
    request: ModelRequest;
    prompt: LanguageModelV4Prompt;
    thinks: boolean;
    quiet: boolean;
    renamed: boolean;
  }): WireOptions;
  /** Removes parts that this API refuses if their counterparts are missing. */
  tidy?(parts: AssistantPart[]): AssistantPart[];
  /** Converts the id of a call to the characters that this API allows; the result for an id is always the same. */
  callId(id: string): string;
  /**
   * Converts the name of a tool, or of a call that a model invented, to one that this API allows; the result for a name is
   * always the same.
   */
  toolName(name: string): string;
  /** The input schemas of tools that this API accepts. */
  schemas: SchemaRules;
  /** Marks in place where the provider may split the prompt for its cache. */
  mark?(
    prompt: LanguageModelV4Prompt,
    tools: LanguageModelV4FunctionTool[],
    cache: ModelRequest['cache'],
  ): void;
}
