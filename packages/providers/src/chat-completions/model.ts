/**
 * Implements POST /chat/completions without a package: most servers use this API, and each token takes a third of the
 * time that it takes with a package (docs/decisions/0007).
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { TripConnection } from '../trip/connection.ts';
import type { AnswerSink } from '../trip/post.ts';
import type { ProviderAccess } from '../wire/kind.ts';
import type { PartSource, WireModel } from '../wire/wire.ts';
import { AnswerReader } from './answer.ts';
import { buildBody } from './body.ts';

export function chatCompletions(
  access: ProviderAccess,
  base_url: string,
  model: string,
  connection: TripConnection,
): WireModel {
  return {
    async open({ prompt, tools, reasoning, maxOutputTokens, responseFormat, providerOptions }) {
      const limit = providerOptions?.compatible?.renamed ? 'max_completion_tokens' : 'max_tokens';
      const body = await buildBody({
        model,
        prompt,
        ...(tools && { tools }),
        ...(reasoning !== undefined && { reasoning_effort: reasoning }),
        ...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
        ...(responseFormat?.schema && { schema: responseFormat.schema }),
      });
      const answer = new StreamedAnswer(access.name);
      await connection.post(
        // bounded: an address of the settings.
        `${base_url.replace(/\/+$/, '')}/chat/completions`,
        buildHeaders(access),
        body,
        answer,
      );
      return answer;
    },
  };
}

const buildHeaders = ({ api_key, headers }: ProviderAccess): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'text/event-stream',
  ...(api_key && { authorization: `Bearer ${api_key}` }),
  ...headers,
});

/**
 * Accepts text from the socket, and returns the parts that it contains. Some servers send the whole answer as JSON instead
 * of a stream.
 */
export class StreamedAnswer implements AnswerSink, PartSource {
  readonly #reader: AnswerReader;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#reader.read(data, this.#parts, event === 'error'),
  });
  #isStream: boolean | undefined;
  #whole = '';
  #parts: LanguageModelV4StreamPart[] = [];
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(provider: string) {
    this.#reader = new AnswerReader(provider);
  }

  text(text: string): void {
    this.#isStream ??= text.trim() === '' ? undefined : !/^\s*[[{]/.test(text);
    if (this.#isStream === false) this.#whole += text;
    else this.#parser.feed(text);
    if (this.#parts.length > 0) this.#wake?.();
  }

  end(): void {
    if (this.#isStream === false) this.#reader.read(this.#whole, this.#parts);
    // An empty line makes the parser emit the last event.
    else this.#parser.feed('\n\n');
    this.#reader.end(this.#parts);
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  async read(): Promise<LanguageModelV4StreamPart[] | null> {
    for (;;) {
      if (this.#parts.length > 0) {
        const parts = this.#parts;
        this.#parts = [];
        return parts;
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#ended) return null;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }
}
