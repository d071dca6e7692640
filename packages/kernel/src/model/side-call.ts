/** A call to a model that is no part of any turn's story: it has no stream, and whoever asks sees to its bill. */
import { EFFORTS, type Effort, type Model, type Usage } from '@chat-kernel/protocol';
import type { FinishReason, LanguageModel, ModelRequest } from '../ports/index.ts';
import { priced } from './pricing.ts';
import { estimateTokens, messageChars, prefixChars } from './token-estimate.ts';

interface SideAnswer {
  text: string;
  finish: FinishReason;
  /** Null: the provider has not told. */
  usage: Usage | null;
  /** The provider was asked to hold it to the schema of the request. */
  schema_enforced: boolean;
}

/** What is asked: no tools, no images. */
export type SideRequest = Omit<ModelRequest, 'tools' | 'loadImage'>;

/** One question, one answer, with the least reasoning that the model takes. The rest as of `answerTo`. */
export function sideCall(
  model: LanguageModel,
  ask: { system: string; text: string; max_output_tokens: number; cache_key: string },
  signal: AbortSignal,
  spend: (usage: Usage) => void,
): Promise<SideAnswer> {
  const { system, text, max_output_tokens, cache_key } = ask;
  const request = {
    system,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    effort: leastEffort(model.record),
    max_output_tokens: Math.min(max_output_tokens, model.record.max_output_tokens),
    cache_key,
  };
  return answerTo(model, request, signal, spend);
}

/**
 * The whole answer to a request.
 * @param spend called once with what it has cost, however it ends: as the provider says, else as is estimated; not
 *   called where nothing is known to have been spent
 * @throws ModelError, or what aborted it: then at once, also where the model does not listen
 */
export async function answerTo(
  model: LanguageModel,
  asked: SideRequest,
  signal: AbortSignal,
  spend: (usage: Usage) => void,
): Promise<SideAnswer> {
  signal.throwIfAborted();
  const request = { ...asked, tools: [], loadImage: () => Promise.resolve(undefined) };
  const answer: SideAnswer = { text: '', finish: 'other', usage: null, schema_enforced: false };
  let received = 0;
  try {
    for await (const event of untilAborted(model.stream(request, signal), signal)) {
      if ('text' in event) received += event.text.length;
      if (event.type === 'text') answer.text += event.text;
      if (event.type !== 'finish') continue;
      answer.finish = event.reason;
      answer.usage = event.usage && priced(event.usage, model.record.price);
      answer.schema_enforced = event.schema_enforced ?? false;
    }
    return answer;
  } finally {
    if (answer.usage) spend(answer.usage);
    else if (received > 0 || signal.aborted) spend(estimate(request, received, model.record));
  }
}

/** Ends with the signal; what the model does about it is not waited for. */
async function* untilAborted<Value>(told: AsyncIterable<Value>, signal: AbortSignal): AsyncGenerator<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  const events = told[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), aborted]);
      if (next.done) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
    // Whether it ends well is of no interest any more.
    events.return?.().catch(() => {});
  }
}

/** The weakest that the model takes. */
export const leastEffort = ({ efforts }: Pick<Model, 'efforts'>): Effort =>
  EFFORTS.find(effort => efforts.includes(effort)) ?? 'off';

/** Nobody has counted an answer that was cut, and some providers count none. */
const estimate = (request: ModelRequest, received: number, { price }: Model): Usage =>
  priced(
    {
      prompt_tokens: estimateTokens(prefixChars(request) + messageChars(request)),
      completion_tokens: estimateTokens(received),
      reasoning_tokens: 0,
      cached_tokens: 0,
    },
    price,
  );
