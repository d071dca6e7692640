/** The loop over getUpdates: Telegram is told that an update was read only after it was taken. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import type { Update } from 'grammy/types';
import { GrammyError, HttpError } from 'grammy/web';
import { asBotSignal, type Bot, isUnknownBot, retryAfter } from './bot.ts';
import type { Store } from './store.ts';

/** A poll that is so many seconds late hangs, and is done again. */
const LATE_SECS = 10;
const LONGEST_WAIT_MS = 30_000;

interface Polling {
  bot: Bot;
  store: Store;
  log: Logger;
  signal: AbortSignal;
  poll_secs: number;
  /** Resolves when the update needs nobody any more. */
  take(update: Update): Promise<void>;
}

/** Ends with the signal, or where Telegram does not know the token. */
export async function poll({ bot, store, log, signal, poll_secs, take }: Polling): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const updates = await pollOnce(bot, store.offset(), poll_secs, signal);
      if (failures > 0) log.info('Telegram answers again.');
      failures = 0;
      for (const update of updates) {
        signal.throwIfAborted();
        if (!store.isSeen(update.update_id)) await take(update);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isUnknownBot(error)) return log.error(UNKNOWN_BOT);
      failures += 1;
      // The first of a row alone is told: an evening without a network is one line.
      if (failures === 1) log.warn(`Telegram cannot be polled: ${reasonOf(error)}`);
      const seconds = retryAfter(error);
      const wait =
        seconds === undefined ? Math.min(500 * 2 ** (failures - 1), LONGEST_WAIT_MS) : seconds * 1000;
      await setTimeout(wait, undefined, { signal }).catch(() => {});
    }
  }
}

function pollOnce(
  bot: Bot,
  offset: number | undefined,
  timeout: number,
  signal: AbortSignal,
): Promise<Update[]> {
  const late = AbortSignal.timeout((timeout + LATE_SECS) * 1000);
  return bot.getUpdates(
    {
      timeout,
      allowed_updates: ['message', 'callback_query', 'stopped_message_generation'],
      ...(offset !== undefined && { offset }),
    },
    asBotSignal(AbortSignal.any([signal, late])),
  );
}

const UNKNOWN_BOT =
  'Telegram does not know the token: put the one that @BotFather shows into modules/telegram.yaml and start the module again.';

function reasonOf(error: unknown): string {
  if (error instanceof HttpError) return 'it does not answer.';
  if (!(error instanceof GrammyError)) return String((error as Error)?.stack ?? error);
  if (error.error_code !== 409) return error.description;
  return `${error.description} (another program polls for the same bot, or it has a webhook)`;
}
