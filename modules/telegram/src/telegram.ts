/** Defines the module: a Telegram bot whose conversations are chats of the kernel. */
import { defineModule, type ModuleDefinition } from '@chat-kernel/module-sdk';
import { CrashGuard, databaseFile } from '@chat-kernel/module-sdk/surface';
import type { UserFromGetMe } from 'grammy/types';
import { AnswerStream } from './answer-stream.ts';
import { asBotSignal, type Bot, createBot, isRefused, untilAnswered } from './bot.ts';
import { COMMANDS } from './commands.ts';
import { Outbox, type SendingServices } from './outbox.ts';
import { poll } from './poll.ts';
import { Requests } from './requests.ts';
import { sendFileTool } from './send-file.ts';
import type { Settings } from './settings.ts';
import { Store } from './store.ts';
import { Surface } from './surface.ts';

/** @param folder for the module's database; from the kernel */
export function telegram(settings: Settings, folder: string | null): ModuleDefinition {
  let services: SendingServices | undefined;
  return defineModule({
    name: 'telegram',
    version: '0.1.0',
    about: 'sends files to a Telegram chat',
    tools: { send_file: sendFileTool(() => services) },
    start({ kernel, signal, log }) {
      // The kernel does not wait for surfaces, so this runs in the background until the connection ends.
      const bot = createBot(settings);
      const store = new Store(databaseFile(folder, 'telegram.sqlite'));
      const guard = new CrashGuard(store, signal);
      const shared = { settings, bot, store, kernel, guard, log, signal };
      services = { ...shared, outbox: new Outbox(shared) };
      void run(services);
    },
  });
}

async function run(services: SendingServices): Promise<void> {
  const { bot, outbox, signal, log } = services;
  const requests = new Requests(services);
  const teller = new AnswerStream(services);
  try {
    const me = await introduce(bot, signal);
    outbox.flush();
    teller.resume();
    void requests.follow();
    const surface = new Surface({ ...services, me, teller, requests });
    await surface.resume();
    log.info(`Telegram: @${me.username} is listening.`);
    await poll(services, updates => surface.take(updates));
  } catch (error) {
    if (signal.aborted) return;
    log.error(
      isRefused(error)
        ? `Telegram rejected the bot: ${error.description}. Compare the token in modules/telegram.yaml with the one from @BotFather.`
        : `The Telegram module failed: ${(error as Error).stack}`,
    );
  }
}

/** Resolves with the bot's own user, after its commands are registered. */
async function introduce(bot: Bot, signal: AbortSignal): Promise<UserFromGetMe> {
  const me = await untilAnswered(() => bot.getMe(asBotSignal(signal)), signal);
  await untilAnswered(() => bot.setMyCommands({ commands: COMMANDS }, asBotSignal(signal)), signal);
  return me;
}
