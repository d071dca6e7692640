/**
 * The wire of POST /chat/completions, spoken by the kernel itself: most servers speak this wire, and a token costs a
 * third here of what it costs through a package (docs/decisions/0007).
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { TripConnection } from '../trip/connection.ts';
import type { AnswerSink } from '../trip/post.ts';
import type { ProviderAccess } from '../wire/kind.ts';
import type { PartSource, WireModel } from '../wire/wire.ts';
import { AnswerReader } from './answer.ts';
import { bodyOf } from './body.ts';

export function chatCompletions(
  access: ProviderAccess,
  base_url: string,
  model: string,
  connection: TripConnection,
): WireModel {
  return {
    async open({ prompt, tools, reasoning, maxOutputTokens, responseFormat }) {
      const body = bodyOf({
        model,
        prompt,
        ...(tools && { tools }),
        ...(reasoning !== undefined && { reasoning_effort: reasoning }),
        ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
        ...(responseFormat?.schema && { schema: responseFormat.schema }),
      });
      const answer = new StreamedAnswer(access.name);
      await connection.post(
        // bounded: an address of the settings.
        `${base_url.replace(/\/+$/, '')}/chat/completions`,
        headersOf(access),
        body,
        answer,
      );
      return answer;
    },
  };
}

const headersOf = ({ api_key, headers }: ProviderAccess): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'text/event-stream',
  ...(api_key && { authorization: `Bearer ${api_key}` }),
  ...headers,
});

/** Takes text as it comes from the socket, and gives out the parts that it holds. */
class StreamedAnswer implements AnswerSink, PartSource {
  readonly #reader: AnswerReader;
  readonly #parser = createParser({ onEvent: event => this.#reader.read(event.data, this.#parts) });
  #parts: LanguageModelV4StreamPart[] = [];
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(provider: string) {
    this.#reader = new AnswerReader(provider);
  }

  text(text: string): void {
    this.#parser.feed(text);
    if (this.#parts.length > 0) this.#wake?.();
  }

  end(): void {
    // An empty line makes the parser give out a last event that has none behind it.
    this.#parser.feed('\n\n');
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
