/** Handles the commands of the bot and the buttons below its messages. */
import { errorDetail, hasStatus, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { CallbackQuery, Message } from 'grammy/types';
import { asBotSignal, isRefused } from './bot.ts';
import type { Who } from './identify-sender.ts';
import type { SurfaceServices } from './services.ts';
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
        else if (command === 'model') await this.#model(updateId, place, argument.trim());
        else await this.#effort(updateId, place, argument.trim());
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
    const { kernel, signal, requests, store } = this.#services;
    // Every member of an allowed group can stop an answer there. Everything else is for the owner.
    if (press.do === 'stop')
      return (await this.stopAnswerTo(press.update_id)) ? 'Stopped.' : 'The response has already ended.';
    if (!isOwner) return 'Only the owner can decide this.';
    if (press.do === 'answer') return requests.answer(press);
    const { kernel_chat } = press;
    try {
      const chosen =
        press.do === 'model'
          ? (await kernel.setModel(kernel_chat, { model: press.model }, { signal })).model
          : (await kernel.setEffort(kernel_chat, { level: press.level }, { signal })).effort;
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

  async #model(updateId: number, place: Conversation, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const chat = store.findChat(place) ?? (await this.#newChat(place));
    if (wanted !== '') {
      return this.#set(
        updateId,
        place,
        () => kernel.setModel(chat, { model: wanted }, { signal }),
        `Model set to ${wanted}.`,
      );
    }
    const [{ models }, { model }] = await retryUntilAvailable(
      () => Promise.all([kernel.listModels({ signal }), kernel.getChat(chat, { signal })]),
      signal,
    );
    const buttons = models
      .slice(0, MAX_BUTTONS)
      .map(({ id }): Button[] => [{ text: id, press: { do: 'model', kernel_chat: chat, model: id } }]);
    this.#offer(updateId, place, `Model: ${model ?? 'default'}`, buttons);
  }

  async #effort(updateId: number, place: Conversation, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const chat = store.findChat(place) ?? (await this.#newChat(place));
    const level = LEVELS.find(each => each === wanted);
    if (level) {
      return this.#set(
        updateId,
        place,
        () => kernel.setEffort(chat, { level }, { signal }),
        `Effort set to ${level}.`,
      );
    }
    const { effort } = await retryUntilAvailable(() => kernel.getChat(chat, { signal }), signal);
    const press = LEVELS.map(
      (each): Button => ({ text: each, press: { do: 'effort', kernel_chat: chat, level: each } }),
    );
    this.#offer(updateId, place, `Effort: ${effort ?? 'default'}`, [press]);
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

  async #set(
    updateId: number,
    place: Conversation,
    call: () => Promise<unknown>,
    words: string,
  ): Promise<void> {
    const said = await retryUntilAvailable(call, this.#services.signal).then(
      () => words,
      error => errorDetail(error),
    );
    this.#say(updateId, place, said);
  }

  #offer(updateId: number, place: Conversation, text: string, rows: Button[][]): void {
    const { store } = this.#services;
    store.markHandled(updateId, () =>
      store.send(place, { kind: 'exact', text, buttons: store.buttons(rows) }),
    );
  }

  #say(updateId: number, place: Conversation, markdown: string): void {
    const { store } = this.#services;
    store.markHandled(updateId, () => store.send(place, { kind: 'text', markdown }));
  }
}
