/** What a kind of provider is to the rest of this room: the one seam behind which wires differ. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import type { ModelEntry } from '../catalogue/index.ts';
import type { Connection } from '../trip/connection.ts';

/** How a configured or found provider is reached. */
export interface Access {
  /** The provider's name in the settings. */
  name: string;
  base_url?: string;
  api_key?: string;
  headers?: Record<string, string>;
  /** Kind ai-sdk: the npm name. */
  package?: string;
  /** What effort `off` is on a wire that would otherwise think by itself; absent: nothing is sent. */
  off?: 'none';
}

export type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number];
export type CallOptions = Pick<
  LanguageModelV4CallOptions,
  'maxOutputTokens' | 'reasoning' | 'providerOptions'
>;

/** A schema that the answer has to fit. */
export type ResponseFormat = Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>;

/** What a model answers, as it comes. */
export interface PartSource {
  /** The parts that came since, at least one; null at the end. Rejects with what broke it. */
  read(): Promise<LanguageModelV4StreamPart[] | null>;
}

/** A model at the end of one connection. */
export interface WireModel {
  /** Resolves when the answer begins. */
  open(
    options: CallOptions & {
      prompt: LanguageModelV4Prompt;
      tools?: LanguageModelV4FunctionTool[];
      responseFormat?: ResponseFormat;
      abortSignal: AbortSignal;
    },
  ): Promise<PartSource>;
}

/** A model that a provider package speaks for. */
export function packaged(model: LanguageModelV4): WireModel {
  return {
    async open(options) {
      const reader = (await model.doStream(options)).stream.getReader();
      return {
        async read() {
          const { done, value } = await reader.read();
          return done ? null : [value];
        },
      };
    },
  };
}

/** One provider, its package imported. */
export interface Wire {
  /** A model whose one request goes through this connection. */
  connect(model: string, connection: Connection): WireModel;
  /** What effort, output limit and cache key become. `thinks` false: no reasoning option may be sent; `quiet`: no summary of it is wanted. */
  options(call: {
    entry: ModelEntry;
    request: ModelRequest;
    prompt: LanguageModelV4Prompt;
    thinks: boolean;
    quiet: boolean;
  }): CallOptions;
  /** Leaves out parts that this wire refuses once they come without their counterparts. */
  tidy?(parts: AssistantPart[]): AssistantPart[];
  /** The id of a call, in the alphabet that this wire takes; the same id always becomes the same. */
  callId(id: string): string;
  /** Marks where the provider may cut the prompt for its cache. */
  mark?(
    prompt: LanguageModelV4Prompt,
    tools: LanguageModelV4FunctionTool[],
    cache: ModelRequest['cache'],
  ): void;
}

/** Imports the package of a kind, which is slow, and makes the wire. */
export type Kind = (access: Access) => Promise<Wire>;
