/** Creates the Bot API client: grammY's typed calls over fetch, and the meaning of their errors. */
import { isRetryable, KernelApiError } from '@chat-kernel/client';
import { retry } from '@chat-kernel/module-sdk/surface';
import { Api, GrammyError } from 'grammy/web';
import type { Settings } from './settings.ts';

export type Bot = Api['raw'];
/** Delays after failed calls. */
export const TELEGRAM_PAUSES = { firstMs: 500, maxMs: 30_000 };

type BotSignal = Parameters<Bot['getMe']>[0];

/** grammY's web build uses the fetch of the runtime; its Node build includes an old one. */
export function createBot({ token, api_url }: Pick<Settings, 'token' | 'api_url'>): Bot {
  const api = new Api(token, { apiRoot: api_url, timeoutSeconds: 60 });
  api.config.use((call, method, payload, signal) =>
    call(method, WITH_PREVIEW.has(method) ? { ...payload, ...NO_PREVIEW } : payload, signal),
  );
  return api.raw;
}

/** Telegram fetches links for their preview, which would send what an address contains to its host. */
const NO_PREVIEW = { link_preview_options: { is_disabled: true } };
const WITH_PREVIEW: ReadonlySet<string> = new Set(['sendMessage', 'editMessageText']);

/** grammY's types expect the AbortSignal of a package, but it accepts that of the runtime. */
export const asBotSignal = (signal: AbortSignal): BotSignal => signal as unknown as BotSignal;

/** Telegram understood the call and rejected it permanently. */
export const isRefused = (error: unknown): error is GrammyError =>
  error instanceof GrammyError &&
  error.error_code >= 400 &&
  error.error_code < 500 &&
  error.error_code !== 429;

/** Telegram does not accept the token, for example because it was revoked. */
export const isUnknownBot = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.description === 'Not Found');

export const says = (error: unknown, words: string): boolean =>
  error instanceof GrammyError && error.description.toLowerCase().includes(words);

/** The wait time that Telegram requests. */
export const retryAfterMs = (error: unknown): number | undefined =>
  error instanceof GrammyError && error.error_code === 429
    ? (error.parameters.retry_after ?? 1) * 1000
    : undefined;

/**
 * Retries a call until Telegram answers it, after the time that Telegram requests, otherwise with increasing delays.
 * @throws GrammyError or KernelApiError if the call is rejected, or the reason of the signal
 */
export const untilAnswered = <Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> =>
  retry(call, { signal, pauses: TELEGRAM_PAUSES, isRetryable: mayPass, retryAfterMs });

/** The next attempt may succeed. */
export const mayPass = (error: unknown): boolean =>
  !isRefused(error) && !(error instanceof KernelApiError && !isRetryable(error));
