/** The loop over getUpdates: Telegram is told that an update was read only after it was taken. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@chat-kernel/module-sdk';
import type { Update } from 'grammy/types';
import { GrammyError, HttpError } from 'grammy/web';
import { type Together, together, withWholeAlbums } from './albums.ts';
import { asBotSignal, type Bot, isUnknownBot, retryAfter } from './bot.ts';
import type { Store } from './store.ts';

/** A poll that is so many seconds late hangs, and is done again. */
const LATE_SECS = 10;
const LONGEST_WAIT_MS = 30_000;
/** After a week without updates Telegram goes on at any number: an older offset could confirm what nobody has read. */
const OFFSET_COUNTS_MS = 6 * 24 * 60 * 60 * 1000;

interface Polling {
  bot: Bot;
  store: Store;
  log: Logger;
  signal: AbortSignal;
  poll_secs: number;
  /** Resolves when the updates need nobody any more. */
  take(updates: Together): Promise<void>;
}

/**
 * Ends with the signal, or where Telegram does not know the token. The offset moves when all that a poll has brought is
 * taken, and is not kept: the first poll gets all that Telegram still has, and what was taken before is known by its id.
 */
export async function poll({ bot, store, log, signal, poll_secs, take }: Polling): Promise<void> {
  let failures = 0;
  let confirmed: { offset: number; at: number } | undefined;
  const ask = (timeout: number) => {
    const counts = confirmed && confirmed.at > Date.now() - OFFSET_COUNTS_MS;
    return pollOnce(bot, { timeout, ...(counts && { offset: confirmed?.offset }) }, signal);
  };
  while (!signal.aborted) {
    try {
      const polled = await ask(poll_secs);
      if (failures > 0) log.info('Telegram answers again.');
      failures = 0;
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
  'Telegram does not know the token: put the one that @BotFather shows into modules/telegram.yaml and start the module again.';

function reasonOf(error: unknown): string {
  if (error instanceof HttpError) return 'it does not answer.';
  if (!(error instanceof GrammyError)) return String((error as Error)?.stack ?? error);
  if (error.error_code !== 409) return error.description;
  return `${error.description} (another program polls for the same bot, or it has a webhook)`;
}
