/** The module: a bot of Telegram whose conversations are chats of the kernel. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineModule, type ModuleDefinition, type RunContext } from '@chat-kernel/module-sdk';
import type { UserFromGetMe } from 'grammy/types';
import { asBotSignal, type Bot, botOf, isRefused, untilAnswered } from './bot.ts';
import { COMMANDS } from './commands.ts';
import { Outbox } from './outbox.ts';
import { poll } from './poll.ts';
import { Requests } from './requests.ts';
import { type FileServices, sendFileTool } from './send-file.ts';
import type { Settings } from './settings.ts';
import { Store } from './store.ts';
import { Surface } from './surface.ts';
import { openDatabase } from './tables.ts';
import { Teller } from './teller.ts';

/** @param folder for the module's database; the kernel names one */
export function telegram(settings: Settings, folder: string | null): ModuleDefinition {
  let files: FileServices | undefined;
  return defineModule({
    name: 'telegram',
    version: '0.1.0',
    about: 'sends files to the people of a chat on Telegram',
    tools: { send_file: sendFileTool(() => files) },
    start(context) {
      if (folder === null) throw new Error('Where is the folder of the module? Set data_dir, or --data DIR.');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The kernel waits for no surface: it runs beside the connection until that ends.
      const { kernel, signal, log } = context;
      const bot = botOf(settings);
      const store = new Store(openDatabase(join(folder, 'telegram.sqlite')));
      const outbox = new Outbox({ bot, store, kernel, log, signal });
      files = { store, outbox };
      void run({ ...context, settings, bot, store, outbox });
    },
  });
}

interface Parts extends RunContext {
  settings: Settings;
  bot: Bot;
  store: Store;
  outbox: Outbox;
}

async function run({ settings, bot, store, outbox, kernel, signal, log }: Parts): Promise<void> {
  const requests = new Requests({ store, kernel, outbox, settings, log, signal });
  const teller = new Teller({ bot, store, kernel, outbox, log, signal });
  try {
    const me = await introduce(bot, signal);
    outbox.flush();
    teller.resume();
    void requests.follow();
    const surface = new Surface({ bot, me, store, kernel, outbox, teller, requests, settings, log, signal });
    await surface.resume();
    log.info(`Telegram: @${me.username} listens.`);
    const { poll_secs } = settings;
    await poll({ bot, store, log, signal, poll_secs, take: updates => surface.take(updates) });
  } catch (error) {
    if (signal.aborted) return;
    log.error(
      isRefused(error)
        ? `Telegram refuses the bot: ${error.description}. Is the token in modules/telegram.yaml the one that @BotFather shows?`
        : `The surface has failed: ${(error as Error).stack}`,
    );
  }
}

/** Resolves with the bot itself, once Telegram knows its commands. */
async function introduce(bot: Bot, signal: AbortSignal): Promise<UserFromGetMe> {
  const me = await untilAnswered(() => bot.getMe(asBotSignal(signal)), signal);
  await untilAnswered(() => bot.setMyCommands({ commands: COMMANDS }, asBotSignal(signal)), signal);
  return me;
}
