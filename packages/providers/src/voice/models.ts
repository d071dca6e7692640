/**
 * Models behind POST {base_url}/audio/transcriptions and /audio/speech, as OpenAI and many other servers have them. The
 * AI SDK's package supports all of them, and is imported by the first call.
 */
import {
  type Clock,
  type Log,
  ModelError,
  type SpeechModel,
  type TranscriptionModel,
} from '@chat-kernel/kernel';
import { type Fetch, openConnection } from '../trip/connection.ts';
import { type FailedProvider, toTripFailure, webPageError } from '../trip/failures.ts';
import { withRetries } from '../trip/retry.ts';
import { toTokenCount } from '../trip/token-count.ts';
import { fetchWithQuery } from '../wire/endpoint.ts';
import type { ProviderAccess } from '../wire/kind.ts';
import type { SpeechFacts, TranscriptionFacts } from './catalogue.ts';

const OPENAI = 'https://api.openai.com/v1';
/** The longest recording. */
const MAX_SECONDS = 1_000_000;

/** A provider with speech models. */
export interface VoiceProvider extends CalledProvider {
  access: ProviderAccess;
}

interface Ports {
  clock: Clock;
  log: Log;
}

export function transcriptionModel(
  provider: VoiceProvider,
  model: string,
  { name, price, verbose }: TranscriptionFacts,
  ports: Ports,
): TranscriptionModel {
  return {
    record: { id: `${provider.name}/${model}`, name, provider: provider.name, price },
    async transcribe({ bytes, media_type }, language, signal) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const openai = {
        ...(language && { language }),
        ...(verbose && { responseFormat: 'verbose_json' as const }),
      };
      const answer = await callProvider(
        provider,
        ({ fetch, abortSignal }) =>
          createOpenAI(buildOptions(provider.access, fetch))
            .transcription(model)
            .doGenerate({ audio: bytes, mediaType: media_type, providerOptions: { openai }, abortSignal }),
        { ...ports, signal, isAudio: false },
      );
      return {
        text: answer.text.trim(),
        language: answer.language ?? null,
        duration_secs: parseDuration(answer.durationInSeconds),
        tokens: parseTokenUsage(answer.usage),
      };
    },
  };
}

export function speechModel(
  provider: VoiceProvider,
  model: string,
  { max_chars, ...facts }: SpeechFacts,
  ports: Ports,
): SpeechModel {
  return {
    record: { id: `${provider.name}/${model}`, provider: provider.name, ...facts },
    max_chars,
    async speak({ text, voice, format }, signal) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return callProvider(
        provider,
        async ({ fetch, abortSignal }) => {
          const { audio, response } = await createOpenAI(buildOptions(provider.access, fetch))
            .speech(model)
            .doGenerate({ text, ...(voice && { voice }), outputFormat: format, abortSignal });
          const type = response.headers?.['content-type'] ?? '';
          if (type.startsWith('text/html')) throw webPageError(provider);
          if (typeof audio === 'string' || audio.length === 0 || /^(text\/|application\/json)/.test(type)) {
            throw new ModelError('upstream_error', `${provider.name} sent no audio.`, false);
          }
          return audio as Uint8Array<ArrayBuffer>;
        },
        { ...ports, signal, isAudio: true },
      );
    },
  };
}

function buildOptions(access: ProviderAccess, fetch: Fetch) {
  const { base_url = OPENAI, api_key = '', headers } = access;
  const fetchAddress = fetchWithQuery(access, fetch);
  return {
    baseURL: base_url,
    apiKey: api_key,
    headers: headers ?? {},
    fetch: api_key === '' ? withoutEmptyKey(fetchAddress) : fetchAddress,
  };
}

/** The package always sends a key; a server without keys may reject an empty one. */
const withoutEmptyKey =
  (fetch: Fetch): Fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') === 'Bearer') headers.delete('authorization');
    return fetch(input, { ...init, headers });
  };

/** The tokens that OpenAI's newer models bill; others bill seconds, or report nothing. */
function parseTokenUsage(usage: unknown): { prompt: number; completion: number } | null {
  const { input_tokens: prompt, output_tokens: completion } = (usage ?? {}) as Record<string, unknown>;
  return typeof prompt === 'number' && typeof completion === 'number'
    ? { prompt: toTokenCount(prompt), completion: toTokenCount(completion) }
    : null;
}

/** Seconds; null for a number that no recording can have. */
const parseDuration = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null;

interface CalledProvider extends FailedProvider {
  timeoutSecs: number;
}

/**
 * Runs one call to a provider outside of turns, with the same retries, limits and timeouts as provider requests of
 * turns.
 * @throws ModelError
 */
async function callProvider<Answer>(
  provider: CalledProvider,
  send: (through: { fetch: Fetch; abortSignal: AbortSignal }) => PromiseLike<Answer>,
  { clock, log, signal, isAudio }: { clock: Clock; log: Log; signal: AbortSignal; isAudio: boolean },
): Promise<Answer> {
  const failure = (thrown: unknown) => toTripFailure(thrown, provider);
  const { name, timeoutSecs } = provider;
  const attempt = async () => {
    const connection = openConnection({
      provider: name,
      signal,
      timeoutSecs,
      clock,
      onHeaders: () => undefined,
      isAudio,
    });
    try {
      return await send({ fetch: connection.fetch, abortSignal: connection.signal });
    } catch (thrown) {
      const reason: unknown = connection.signal.reason;
      throw reason instanceof ModelError ? reason : thrown;
    } finally {
      connection.close();
    }
  };
  try {
    return await withRetries(attempt, failure, { clock, log, signal });
  } catch (thrown) {
    if (signal.aborted) {
      throw new ModelError('upstream_error', 'The request was aborted.', false, signal.reason);
    }
    throw failure(thrown).error;
  }
}
