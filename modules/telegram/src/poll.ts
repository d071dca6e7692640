/** Polls getUpdates. Confirms an update to Telegram only after it was handled. */
import { pause, RetryBackoff } from '@chat-kernel/module-sdk/surface';
import type { Update } from 'grammy/types';
import { GrammyError, HttpError } from 'grammy/web';
import { type Together, together, withWholeAlbums } from './albums.ts';
import { asBotSignal, type Bot, isUnknownBot, retryAfterMs, TELEGRAM_PAUSES } from './bot.ts';
import type { Services } from './services.ts';

/** A poll that takes this many seconds too long is stuck, and is repeated. */
const LATE_SECS = 10;
/**
 * After a week without updates, Telegram restarts update ids at a random number. An older offset could confirm unread
 * updates.
 */
const OFFSET_COUNTS_MS = 6 * 24 * 60 * 60 * 1000;

/**
 * Runs until the signal is aborted, or until Telegram rejects the token. The offset advances when all updates of a poll
 * are handled, and is not stored: the first poll gets everything that Telegram still has, and handled updates are
 * recognized by their ids.
 * @param take resolves when the updates are handled
 */
export async function poll(
  { bot, store, log, signal, settings }: Services,
  take: (updates: Together) => Promise<void>,
): Promise<void> {
  const backoff = new RetryBackoff(TELEGRAM_PAUSES);
  let confirmed: { offset: number; at: number } | undefined;
  const ask = (timeout: number) => {
    const counts = confirmed && confirmed.at > Date.now() - OFFSET_COUNTS_MS;
    return pollOnce(bot, { timeout, ...(counts && { offset: confirmed?.offset }) }, signal);
  };
  while (!signal.aborted) {
    try {
      const polled = await ask(settings.poll_secs);
      if (backoff.failures > 0) log.info('Telegram is reachable again.');
      backoff.reset();
      const updates = await withWholeAlbums(polled, () => ask(0), signal);
      for (const each of together(updates)) {
        signal.throwIfAborted();
        const [first, ...rest] = each.filter(({ update_id }) => !store.isSeen(update_id));
        if (first) await take([first, ...rest]);
      }
      const last = updates.at(-1);
      if (last) confirmed = { offset: last.update_id + 1, at: Date.now() };
    } catch (error) {
      if (signal.aborted) return;
      if (isUnknownBot(error)) return log.error(UNKNOWN_BOT);
      const nextMs = backoff.nextMs();
      // Log only the first failure in a row, so that a long outage is one line.
      if (backoff.failures === 1) log.warn(`Polling Telegram failed, retrying: ${describeError(error)}`);
      await pause(retryAfterMs(error) ?? nextMs, signal);
    }
  }
}

function pollOnce(
  bot: Bot,
  from: { timeout: number; offset?: number | undefined },
  signal: AbortSignal,
): Promise<Update[]> {
  const late = AbortSignal.timeout((from.timeout + LATE_SECS) * 1000);
  return bot.getUpdates(
    {
      ...from,
      allowed_updates: ['message', 'edited_message', 'callback_query', 'stopped_message_generation'],
    },
    asBotSignal(AbortSignal.any([signal, late])),
  );
}

const UNKNOWN_BOT =
  'Telegram rejected the bot token. Copy the token from @BotFather into modules/telegram.yaml and restart the module.';

function describeError(error: unknown): string {
  if (error instanceof HttpError) return 'no connection.';
  if (!(error instanceof GrammyError)) return String((error as Error)?.stack ?? error);
  if (error.error_code !== 409) return error.description;
  return `${error.description} (another program polls for this bot, or a webhook is set)`;
}
