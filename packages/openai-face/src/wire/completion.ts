/** Builds chat completions: complete, and in chunks. */
import type { Usage } from '@chat-kernel/client';

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** A piece of an answer. */
export type Part =
  | { part: 'content' | 'reasoning' | 'refusal'; text: string }
  | { part: 'call'; id: string; name: string; arguments: string }
  | { part: 'end'; finish: FinishReason; usage: Usage };

/** The common fields of all chunks of one answer. */
export interface Head {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

const toOpenAiUsage = ({
  prompt_tokens,
  completion_tokens,
  cached_tokens,
  reasoning_tokens,
}: Usage): Record<string, unknown> => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  prompt_tokens_details: { cached_tokens },
  completion_tokens_details: { reasoning_tokens },
});

const toFunctionCall = ({ id, name, arguments: given }: Extract<Part, { part: 'call' }>) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

/** Builds the chunks of one answer, in order. */
export class Chunks {
  readonly #head: object;
  readonly #withUsage: boolean;
  #calls = 0;

  constructor({ id, created, model }: Head, withUsage: boolean) {
    this.#head = { id, object: 'chat.completion.chunk', created, model };
    this.#withUsage = withUsage;
  }

  begin(): string {
    return this.#chunk({ role: 'assistant', content: '' });
  }

  of(part: Part): string {
    switch (part.part) {
      case 'content':
        return this.#chunk({ content: part.text });
      case 'refusal':
        return this.#chunk({ refusal: part.text });
      case 'reasoning':
        return this.#chunk({ reasoning_content: part.text });
      case 'call':
        return this.#chunk({ tool_calls: [{ index: this.#calls++, ...toFunctionCall(part) }] });
      case 'end':
        return this.#chunk({}, part.finish) + (this.#withUsage ? this.#usage(part.usage) : '');
      default:
        return part satisfies never;
    }
  }

  #chunk(delta: object, finish_reason: FinishReason | null = null): string {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return frame({ ...this.#head, choices, ...(this.#withUsage && { usage: null }) });
  }

  #usage(usage: Usage): string {
    return frame({ ...this.#head, choices: [], usage: toOpenAiUsage(usage) });
  }
}

export const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
export const DONE = 'data: [DONE]\n\n';
/** A separate frame, as clients of this API expect it. */
export const HEARTBEAT = ': heartbeat\n\n';

/** Builds the answer to a request without streaming. @param parts of the whole answer */
export function buildCompletion({ id, created, model }: Head, parts: readonly Part[]): object {
  const textOf = (kind: 'content' | 'reasoning' | 'refusal') =>
    parts.map(part => (part.part === kind ? part.text : '')).join('');
  const calls = parts.filter(part => part.part === 'call').map(toFunctionCall);
  const end = parts.find(part => part.part === 'end')!;
  const [content, reasoning, refusal] = [textOf('content'), textOf('reasoning'), textOf('refusal')];
  const message = {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: end.finish }],
    usage: toOpenAiUsage(end.usage),
  };
}
