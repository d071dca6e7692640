/** The commands of the bot, and the buttons below its messages. */
import type { CallbackQuery, Message } from 'grammy/types';
import { asBotSignal, isRefused } from './bot.ts';
import { detailOf, hasStatus, whenThere } from './kernel-answers.ts';
import type { SurfaceServices } from './services.ts';
import type { Button, Place, Press } from './tables.ts';
import type { Who } from './who.ts';

export const COMMANDS = [
  { command: 'new', description: 'Begin a new chat' },
  { command: 'stop', description: 'Stop the answer that is being written' },
  { command: 'model', description: 'Choose the model of this chat' },
  { command: 'effort', description: 'Choose how hard it thinks' },
  { command: 'voice', description: 'Have answers read aloud, or not: /voice on, /voice off' },
  { command: 'help', description: 'What this bot does' },
];
const HELP = [
  'Write, or send photos, files and voice notes: the answer comes here. A reply to a message quotes it.',
  ...COMMANDS.map(({ command, description }) => `/${command} – ${description}`),
].join('\n');
const NO_VOICE = 'No model of the kernel speaks. Name one: voice.speech_model in the settings of the kernel.';
const LEVELS = ['off', 'low', 'mid', 'high'] as const;
/** Telegram takes a hundred; a longer list is no choice. */
const MAX_BUTTONS = 30;

export class Commands {
  readonly #services: SurfaceServices;
  readonly #newChat: (place: Place) => Promise<string>;

  constructor(services: SurfaceServices, newChat: (place: Place) => Promise<string>) {
    this.#services = services;
    this.#newChat = newChat;
  }

  /** Resolves with false where the message is none of the commands. */
  async run(updateId: number, message: Message, place: Place, who: Who): Promise<boolean> {
    const [, command, argument = ''] = /^\/(\w+)(?:@\w+)?(?:\s+(.*))?$/s.exec(message.text ?? '') ?? [];
    switch (command) {
      case 'start':
      case 'help':
        this.#say(updateId, place, HELP);
        return true;
      case 'new':
        await this.#newChat(place);
        this.#say(updateId, place, 'A new chat: what was said before is not known here any more.');
        return true;
      case 'stop':
        await this.#stop(place);
        return true;
      case 'model':
      case 'effort':
      case 'voice':
        if (who.kind !== 'master') this.#say(updateId, place, 'Only the owner chooses that.');
        else if (command === 'voice') await this.#voice(updateId, place, argument.trim());
        else if (command === 'model') await this.#model(updateId, place, argument.trim());
        else await this.#effort(updateId, place, argument.trim());
        return true;
      default:
        return false;
    }
  }

  async #stop(place: Place): Promise<void> {
    const { store } = this.#services;
    const chat = store.chatOf(place);
    if (chat === undefined || !(await this.#cancel(chat))) {
      store.send(place, { kind: 'text', markdown: 'Nothing runs.' });
    }
  }

  /** Stops the answer to a message, where it is not told yet. Resolves with whether there was something to stop. */
  async stopAnswerTo(updateId: number): Promise<boolean> {
    const turn = this.#services.store.turn(updateId);
    return turn !== undefined && this.#cancel(turn.kernel_chat);
  }

  async #cancel(chat: string): Promise<boolean> {
    const { kernel, signal } = this.#services;
    try {
      return (await whenThere(() => kernel.cancelTurn(chat, {}, { signal }), signal)).cancelled;
    } catch (error) {
      if (hasStatus(error, 404)) return false;
      throw error;
    }
  }

  async press(query: CallbackQuery): Promise<void> {
    const { store, bot, settings, signal } = this.#services;
    const press = store.press(query.data ?? '');
    const isOwner = settings.owner.includes(query.from.id);
    const words = !press ? 'This button is too old.' : await this.#done(press, isOwner, query);
    await bot
      .answerCallbackQuery(
        { callback_query_id: query.id, ...(words !== '' && { text: words }) },
        asBotSignal(signal),
      )
      .catch(error => {
        // A press waits for an answer a few seconds only.
        if (!isRefused(error)) this.#services.log.debug('A press could not be answered.');
      });
  }

  /** Resolves with the words that the one who pressed reads. */
  async #done(press: Press, isOwner: boolean, { message }: CallbackQuery): Promise<string> {
    const { kernel, signal, requests, store } = this.#services;
    // Everybody of an allowed group may stop an answer there; all else is the owner's.
    if (press.do === 'stop') return (await this.stopAnswerTo(press.update_id)) ? 'Stopped.' : 'It has ended.';
    if (!isOwner) return 'Only the owner may decide that.';
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
          { kind: 'exact', text: `${press.do}: ${chosen}`, edit },
        );
      return `${chosen}`;
    } catch (error) {
      return detailOf(error).slice(0, 200);
    }
  }

  async #model(updateId: number, place: Place, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const chat = store.chatOf(place) ?? (await this.#newChat(place));
    if (wanted !== '') {
      return this.#set(
        updateId,
        place,
        () => kernel.setModel(chat, { model: wanted }, { signal }),
        `model: ${wanted}`,
      );
    }
    const [{ models }, { model }] = await whenThere(
      () => Promise.all([kernel.listModels({ signal }), kernel.getChat(chat, { signal })]),
      signal,
    );
    const buttons = models
      .slice(0, MAX_BUTTONS)
      .map(({ id }): Button[] => [{ text: id, press: { do: 'model', kernel_chat: chat, model: id } }]);
    this.#offer(updateId, place, `Model of this chat: ${model ?? 'the default one'}`, buttons);
  }

  async #effort(updateId: number, place: Place, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const chat = store.chatOf(place) ?? (await this.#newChat(place));
    const level = LEVELS.find(each => each === wanted);
    if (level) {
      return this.#set(
        updateId,
        place,
        () => kernel.setEffort(chat, { level }, { signal }),
        `effort: ${level}`,
      );
    }
    const { effort } = await whenThere(() => kernel.getChat(chat, { signal }), signal);
    const press = LEVELS.map(
      (each): Button => ({ text: each, press: { do: 'effort', kernel_chat: chat, level: each } }),
    );
    this.#offer(updateId, place, `Effort of this chat: ${effort ?? 'not set'}`, [press]);
  }

  async #voice(updateId: number, place: Place, wanted: string): Promise<void> {
    const { store, kernel, signal } = this.#services;
    const on = wanted === 'on';
    if (!on && wanted !== 'off') {
      const now = store.marked(place, 'voice') ? 'are read aloud' : 'are not read aloud';
      return this.#say(updateId, place, `Answers ${now} here. /voice on, /voice off`);
    }
    if (on) {
      const { speech } = await whenThere(() => kernel.listVoice({ signal }), signal);
      if (speech.default_model === null) return this.#say(updateId, place, NO_VOICE);
    }
    const words = on ? 'Answers come as voice messages too.' : 'Answers are not read aloud any more.';
    store.taken(updateId, () => {
      store.mark(place, 'voice', on);
      store.send(place, { kind: 'text', markdown: words });
    });
  }

  async #set(updateId: number, place: Place, call: () => Promise<unknown>, words: string): Promise<void> {
    const said = await whenThere(call, this.#services.signal).then(
      () => words,
      error => detailOf(error),
    );
    this.#say(updateId, place, said);
  }

  #offer(updateId: number, place: Place, text: string, rows: Button[][]): void {
    const { store } = this.#services;
    store.taken(updateId, () => store.send(place, { kind: 'exact', text, buttons: store.buttons(rows) }));
  }

  #say(updateId: number, place: Place, markdown: string): void {
    const { store } = this.#services;
    store.taken(updateId, () => store.send(place, { kind: 'text', markdown }));
  }
}
