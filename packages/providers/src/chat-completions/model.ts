/**
 * The wire of POST /chat/completions, spoken by the kernel itself: it is the one that most servers speak, and a
 * token costs a third here of what it costs through a package (docs/decisions/0007).
 */
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { Connection } from '../trip/connection.ts';
import type { Access, CallOptions, PartSource, ResponseFormat, WireModel } from '../wire/wire.ts';
import { AnswerReader, type Part } from './answer.ts';
import { bodyOf } from './body.ts';

interface Call extends CallOptions {
  prompt: LanguageModelV4Prompt;
  tools?: LanguageModelV4FunctionTool[];
  responseFormat?: ResponseFormat;
}

export function chatCompletions(
  access: Access,
  base_url: string,
  model: string,
  connection: Connection,
): WireModel {
  return {
    async open({ prompt, tools, reasoning, maxOutputTokens, responseFormat }: Call) {
      const body = bodyOf({
        model,
        prompt,
        ...(tools && { tools }),
        ...(reasoning !== undefined && { reasoning_effort: reasoning }),
        ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
        ...(responseFormat?.schema && { schema: responseFormat.schema }),
      });
      const answer = new Answer();
      await connection.post(
        `${base_url.replace(/\/+$/, '')}/chat/completions`,
        headersOf(access),
        body,
        answer,
      );
      return answer;
    },
  };
}

const headersOf = ({ api_key, headers }: Access): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'text/event-stream',
  ...(api_key && { authorization: `Bearer ${api_key}` }),
  ...headers,
});

/** Takes text as it comes from the socket, and gives out the parts that it holds. */
class Answer implements PartSource {
  readonly #reader = new AnswerReader();
  readonly #parser = createParser({ onEvent: event => this.#reader.read(event.data, this.#parts) });
  #parts: Part[] = [];
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  text(text: string): void {
    this.#parser.feed(text);
    if (this.#parts.length > 0) this.#wake?.();
  }

  end(): void {
    // A last line without an empty one behind it is still a line.
    this.#parser.feed('\n\n');
    this.#reader.end(this.#parts);
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  async read(): Promise<Part[] | null> {
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
