/** The Bot API: grammY's typed calls over fetch, and what their errors mean. */
import { setTimeout } from 'node:timers/promises';
import { KernelApiError } from '@chat-kernel/module-sdk';
import { Api, GrammyError } from 'grammy/web';
import { isAway } from './kernel-answers.ts';
import type { Settings } from './settings.ts';

export type Bot = Api['raw'];
type BotSignal = Parameters<Bot['getMe']>[0];

/** grammY's build for the web uses the fetch of the runtime; that for Node brings an old one along. */
export const botOf = ({ token, api_url }: Pick<Settings, 'token' | 'api_url'>): Bot =>
  new Api(token, { apiRoot: api_url, timeoutSeconds: 60 }).raw;

/** grammY's types name the signal of a package; it takes that of the runtime. */
export const asBotSignal = (signal: AbortSignal): BotSignal => signal as unknown as BotSignal;

/** Telegram has understood the call and will never take it. */
export const isRefused = (error: unknown): error is GrammyError =>
  error instanceof GrammyError &&
  error.error_code >= 400 &&
  error.error_code < 500 &&
  error.error_code !== 429;

/** Telegram does not know the token, such as one that was revoked. */
export const isUnknownBot = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.description === 'Not Found');

export const says = (error: unknown, words: string): boolean =>
  error instanceof GrammyError && error.description.toLowerCase().includes(words);

/** The seconds that Telegram asks to be left alone. */
export const retryAfter = (error: unknown): number | undefined =>
  error instanceof GrammyError && error.error_code === 429 ? (error.parameters.retry_after ?? 1) : undefined;

/**
 * Repeats a call until Telegram has answered it: after as long as it asks, else after longer and longer waits.
 * @throws GrammyError or KernelApiError where it is refused, or the reason of the signal
 */
export async function untilAnswered<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (isRefused(error) || (error instanceof KernelApiError && !isAway(error))) throw error;
      const seconds = retryAfter(error);
      await setTimeout(seconds === undefined ? wait : seconds * 1000, undefined, { signal });
    }
  }
}
