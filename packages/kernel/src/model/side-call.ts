/** Makes a side call: a call to a model outside the stream of a turn. The caller records the cost. */
import { abortable } from '@chat-kernel/base';
import { EFFORTS, type Effort, KernelError, type Model, type Usage } from '@chat-kernel/protocol';
import { type FinishReason, type LanguageModel, ModelError, type ModelRequest } from '../ports/index.ts';
import { priced } from './pricing.ts';
import { estimatedUsage, promptTokens } from './token-estimate.ts';

interface SideAnswer {
  text: string;
  finish: FinishReason;
  /** Tokens and cost; null if the provider did not report them. */
  usage: Usage | null;
  /** True if the provider was requested to follow the schema of the request. */
  schema_enforced: boolean;
}

export type SideRequest = Omit<ModelRequest, 'tools' | 'loadImage'>;

/** Asks one question with the least reasoning that the model accepts. Parameters and errors as for `answerTo`. */
export function sideCall(
  model: LanguageModel,
  ask: {
    system: string;
    text: string;
    max_output_tokens: number;
    cache_key: string;
    onWait?: ModelRequest['onWait'];
  },
  signal: AbortSignal,
  spend: (usage: Usage) => void,
): Promise<SideAnswer> {
  const { system, text, max_output_tokens, cache_key, onWait } = ask;
  const request = {
    system,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    effort: leastEffort(model.record),
    max_output_tokens: Math.min(max_output_tokens, model.record.max_output_tokens),
    cache_key,
    ...(onWait && { onWait }),
  };
  return answerTo(model, request, signal, spend);
}

/**
 * Returns the whole answer to a request.
 * @param spend called once with the cost of the call, however it ends: as reported by the provider, else estimated; not
 * called if no spend is known
 * @throws ModelError, or the reason of the signal: immediately, even if the model does not react to it
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
    // Interrupted answers, and providers that do not count.
    else if (received > 0 || signal.aborted)
      spend(priced(estimatedUsage(request, received), model.record.price));
  }
}

/** Passes the values on until the signal is aborted, without waiting for the model's reaction. */
async function* untilAborted<Value>(told: AsyncIterable<Value>, signal: AbortSignal): AsyncGenerator<Value> {
  const events = told[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await abortable(events.next(), signal);
      if (next.done) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    // The remaining events are not needed, and a failure to stop them does not matter.
    events.return?.().catch(() => {});
  }
}

/** The weakest level that the model accepts. */
export const leastEffort = ({ efforts }: Pick<Model, 'efforts'>): Effort =>
  EFFORTS.find(effort => efforts.includes(effort)) ?? 'off';

/** The estimated tokens of the prompt of a call. */
export const sideTokens = (request: SideRequest): number => promptTokens({ ...request, tools: [] });

/**
 * Returns the error to throw.
 * @param ended the signals that end the call: `closing` when the kernel stops, `gone` when the client has disconnected
 */
export function sideFailure(
  error: unknown,
  { closing, gone }: { closing: AbortSignal; gone: AbortSignal },
): unknown {
  if (closing.aborted)
    return new KernelError('shutting_down', 'The kernel is shutting down. Try again later.');
  if (error instanceof ModelError || gone.aborted) {
    return new KernelError('upstream_error', (error as Error).message, { cause: error });
  }
  return error;
}
