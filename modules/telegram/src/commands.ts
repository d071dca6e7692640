/** Handles the commands of the bot and the buttons below its messages. */
import { errorDetail, hasStatus, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { CallbackQuery, Message } from 'grammy/types';
import { asBotSignal, isRefused } from './bot.ts';
import type { Who } from './identify-sender.ts';
import type { SurfaceServices } from './surface-services.ts';
import type { Button, Conversation, Press } from './tables.ts';

export const COMMANDS = [
  { command: 'new', description: 'Start a new chat' },
  { command: 'stop', description: 'Stop the response' },
  { command: 'model', description: 'Choose the model of this chat' },
  { command: 'effort', description: 'Choose the reasoning effort' },
  { command: 'voice', description: 'Turn spoken answers on or off: /voice on, /voice off' },
  { command: 'help', description: 'Show this help' },
];
const HELP = [
  'Send text, photos, files or voice notes, and the answer appears here. Reply to a message to quote it.',
  ...COMMANDS.map(({ command, description }) => `/${command} – ${description}`),
].join('\n');
const NO_VOICE = 'No speech model is configured. Set voice.speech_model in the settings of Chat Kernel.';
const SET = { model: 'Model set to', effort: 'Effort set to' } as const;
const LEVELS = ['off', 'low', 'mid', 'high'] as const;
type Level = (typeof LEVELS)[number];
/** The choice behind a button. */
type Choice = Extract<Press, { do: 'model' | 'effort' }>;
/** Telegram allows 100, but longer lists are hard to use. */
const MAX_BUTTONS = 30;

export class Commands {
  readonly #services: SurfaceServices;
  readonly #newChat: (place: Conversation) => Promise<string>;

  constructor(services: SurfaceServices, newChat: (place: Conversation) => Promise<string>) {
    this.#services = services;
    this.#newChat = newChat;
  }

  /** Resolves with false if the message is not a command. */
  async run(updateId: number, message: Message, place: Conversation, who: Who): Promise<boolean> {
    const [, command, argument = ''] = /^\/(\w+)(?:@\w+)?(?:\s+(.*))?$/s.exec(message.text ?? '') ?? [];
    switch (command) {
      case 'start':
      case 'help':
        this.#say(updateId, place, HELP);
        return true;
      case 'new':
        await this.#newChat(place);
        this.#say(updateId, place, 'New chat started. Earlier messages are not included.');
        return true;
      case 'stop':
        await this.#stop(place);
        return true;
      case 'model':
      case 'effort':
      case 'voice':
        if (who.kind !== 'master') this.#say(updateId, place, 'Only the owner can change this.');
        else if (command === 'voice') await this.#voice(updateId, place, argument.trim());
        else await this.#choose(command, updateId, place, argument.trim());
        return true;
      default:
        return false;
    }
  }

  async #stop(place: Conversation): Promise<void> {
    const { store } = this.#services;
    const chat = store.findChat(place);
    if (chat === undefined || !(await this.#cancel(chat))) {
      store.send(place, { kind: 'text', markdown: 'No response is running.' });
    }
  }

  /** Stops the answer to a message, if it is not complete yet. Resolves with whether an answer was stopped. */
  async stopAnswerTo(updateId: number): Promise<boolean> {
    const turn = this.#services.store.turn(updateId);
    return turn !== undefined && this.#cancel(turn.kernel_chat);
  }

  async #cancel(chat: string): Promise<boolean> {
    const { kernel, signal } = this.#services;
    try {
      return (await retryUntilAvailable(() => kernel.cancelTurn(chat, {}, { signal }), signal)).cancelled;
    } catch (error) {
      if (hasStatus(error, 404)) return false;
      throw error;
    }
  }

  async press(query: CallbackQuery): Promise<void> {
    const { store, bot, settings, signal } = this.#services;
    const press = store.press(query.data ?? '');
    const isOwner = settings.owner.includes(query.from.id);
    const words = !press ? 'This button has expired.' : await this.#done(press, isOwner, query);
    await bot
      .answerCallbackQuery(
        { callback_query_id: query.id, ...(words !== '' && { text: words }) },
        asBotSignal(signal),
      )
      .catch(error => {
        // Telegram accepts the answer to a press only for a few seconds.
        if (!isRefused(error)) this.#services.log.debug('Answering a button press failed.');
      });
  }

  /** Resolves with the notice for the user who pressed the button. */
  async #done(press: Press, isOwner: boolean, { message }: CallbackQuery): Promise<string> {
    const { requests, store } = this.#services;
    // Every member of an allowed group can stop an answer there. Everything else is for the owner.
    if (press.do === 'stop')
      return (await this.stopAnswerTo(press.update_id)) ? 'Stopped.' : 'The response has already ended.';
    if (!isOwner) return 'Only the owner can decide this.';
    if (press.do === 'answer') return requests.answer(press);
    try {
      const chosen = await this.#set(press);
      const edit = message?.message_id;
      if (edit)
        store.send(
          { chat_id: message.chat.id, thread_id: 0 },
          { kind: 'exact', text: `${SET[press.do]} ${chosen}.`, edit },
        );
      return `${chosen}`;
    } catch (error) {
      return errorDetail(error).slice(0, 200);
    }
  }

  /** Sets the model or the effort of the chat, or offers them as buttons. */
  async #choose(
    what: 'model' | 'effort',
    updateId: number,
    place: Conversation,
    wanted: string,
  ): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const kernel_chat = store.findChat(place) ?? (await this.#newChat(place));
    const toPress = (value: string): Choice =>
      what === 'model'
        ? { do: what, kernel_chat, model: value }
        : { do: what, kernel_chat, level: value as Level };
    if (what === 'model' ? wanted !== '' : LEVELS.includes(wanted as Level)) {
      const words = await retryUntilAvailable(() => this.#set(toPress(wanted)), signal).then(
        () => `${SET[what]} ${wanted}.`,
        error => errorDetail(error),
      );
      return this.#say(updateId, place, words);
    }
    const list = async () =>
      what === 'model' ? (await kernel.listModels({ signal })).models.map(({ id }) => id) : LEVELS;
    const [values, chat] = await retryUntilAvailable(
      () => Promise.all([list(), kernel.getChat(kernel_chat, { signal })]),
      signal,
    );
    const buttons = values.slice(0, MAX_BUTTONS).map((text): Button => ({ text, press: toPress(text) }));
    const rows = what === 'model' ? buttons.map(each => [each]) : [buttons];
    const text = `${what === 'model' ? 'Model' : 'Effort'}: ${chat[what] ?? 'default'}`;
    store.markHandled(updateId, () =>
      store.send(place, { kind: 'exact', text, buttons: store.buttons(rows) }),
    );
  }

  async #set(choice: Choice): Promise<string | null> {
    const { kernel, signal } = this.#services;
    return choice.do === 'model'
      ? (await kernel.setModel(choice.kernel_chat, { model: choice.model }, { signal })).model
      : (await kernel.setEffort(choice.kernel_chat, { level: choice.level }, { signal })).effort;
  }

  async #voice(updateId: number, place: Conversation, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const on = wanted === 'on';
    if (!on && wanted !== 'off') {
      const state = store.hasMark(place, 'voice') ? 'on' : 'off';
      return this.#say(
        updateId,
        place,
        `Spoken answers are ${state}. To change this, send /voice on or /voice off.`,
      );
    }
    if (on) {
      const { speech } = await retryUntilAvailable(() => kernel.listVoice({ signal }), signal);
      if (speech.default_model === null) return this.#say(updateId, place, NO_VOICE);
    }
    const words = on ? 'Answers are now also sent as voice messages.' : 'Answers are sent as text only.';
    store.markHandled(updateId, () => {
      store.mark(place, 'voice', on);
      store.send(place, { kind: 'text', markdown: words });
    });
  }

  #say(updateId: number, place: Conversation, markdown: string): void {
    const { store } = this.#services;
    store.markHandled(updateId, () => store.send(place, { kind: 'text', markdown }));
  }
}
