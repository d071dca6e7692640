/** Messages that are files: pictures, documents and voice, each with a note in its place where Telegram takes it not. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import { InputFile } from 'grammy/web';
import { asBotSignal, type Bot, isRefused, isUnknownBot, untilAnswered } from './bot.ts';
import { detailOf, hasStatus, isAway } from './kernel-answers.ts';
import { type Spoken, spoken } from './speaking.ts';
import type { Body, Image } from './tables.ts';

/** Bots can send no larger files. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

export interface To {
  chat_id: number;
  message_thread_id?: number;
}

interface Services {
  bot: Bot;
  kernel: KernelClient;
  signal: AbortSignal;
}

type Upload = Exclude<Body, { kind: 'text' | 'exact' }>;
type Kind = 'photo' | 'voice' | 'document';

interface Sent {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** How it is shown, where Telegram takes it so. */
  as: Kind;
}

export class Uploads {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Resolves with the id of the message; null: there was nothing to send. */
  async send(to: To, body: Upload): Promise<number | null> {
    switch (body.kind) {
      case 'document':
        return this.#put(to, { name: body.name, bytes: Buffer.from(body.text), as: 'document' });
      case 'image':
        return this.#image(to, body);
      case 'album':
        return this.#album(to, body.images);
      case 'file': {
        const { file_id, name, photo } = body;
        const as = photo ? 'photo' : 'document';
        return this.#kept(to, { name, as }, options => this.#services.kernel.getFile(file_id, options));
      }
      case 'voice':
        return this.#voice(to, body.markdown);
      default:
        return body satisfies never;
    }
  }

  #image(to: To, image: Image): Promise<number> {
    const { kernel } = this.#services;
    const what = { name: nameOf(image), as: 'photo' } as const;
    return this.#kept(to, what, options => kernel.getImage(image.image_id, options));
  }

  /** Where Telegram does not take all of them as photos, or one is gone, each comes by itself. */
  async #album(to: To, images: readonly Image[]): Promise<number> {
    const { bot, kernel, signal } = this.#services;
    try {
      const media = await Promise.all(
        images.map(async image => {
          const bytes = await (await kernel.getImage(image.image_id, { signal })).arrayBuffer();
          const media = new InputFile(new Uint8Array(bytes), nameOf(image));
          return { type: 'photo', media } as const;
        }),
      );
      const [first] = await bot.sendMediaGroup({ ...to, media }, asBotSignal(signal));
      return first!.message_id;
    } catch (error) {
      if (isUnknownBot(error) || !(isRefused(error) || hasStatus(error, 404))) throw error;
      const sent: number[] = [];
      // Repeated here, each by itself: another attempt at all would show some twice.
      for (const image of images) sent.push(await untilAnswered(() => this.#image(to, image), signal));
      return sent[0]!;
    }
  }

  /** What the kernel keeps may be gone, with its chat. */
  async #kept(
    to: To,
    what: Pick<Sent, 'name' | 'as'>,
    read: (options: { signal: AbortSignal }) => Promise<Response>,
  ): Promise<number> {
    const { signal } = this.#services;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = new Uint8Array(await (await read({ signal })).arrayBuffer());
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      return this.#note(to, `${what.name} is not there any more.`);
    }
    return this.#put(to, { ...what, bytes });
  }

  async #voice(to: To, markdown: string): Promise<number | null> {
    const { kernel, signal } = this.#services;
    let audio: Spoken | undefined;
    try {
      audio = await spoken(markdown, kernel, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isAway(error)) throw error;
      return this.#note(to, `This could not be read aloud: ${detailOf(error)}`);
    }
    if (!audio) return null;
    const { name, bytes, plays } = audio;
    // Repeated here: another attempt must not have it read, and paid, once more.
    return untilAnswered(() => this.#put(to, { name, bytes, as: plays ? 'voice' : 'document' }), signal);
  }

  async #put(to: To, { name, bytes, as }: Sent): Promise<number> {
    if (bytes.length > MAX_FILE_BYTES) return this.#note(to, tooLarge(name));
    try {
      return await this.#call(to, { name, bytes, as });
    } catch (error) {
      if (!isRefused(error) || isUnknownBot(error)) throw error;
      // What is no photo for Telegram, by its size or its sides, and voice where its reader wants none, goes as a file.
      if (as !== 'document') return this.#put(to, { name, bytes, as: 'document' });
      return this.#note(to, `${name} was not taken by Telegram: ${error.description}`);
    }
  }

  async #call(to: To, { name, bytes, as }: Sent): Promise<number> {
    const { bot, signal } = this.#services;
    const over = asBotSignal(signal);
    const file = new InputFile(bytes, name);
    if (as === 'photo') return (await bot.sendPhoto({ ...to, photo: file }, over)).message_id;
    if (as === 'voice') return (await bot.sendVoice({ ...to, voice: file }, over)).message_id;
    return (await bot.sendDocument({ ...to, document: file }, over)).message_id;
  }

  async #note(to: To, text: string): Promise<number> {
    const { bot, signal } = this.#services;
    return (await bot.sendMessage({ ...to, text: `⚠️ ${text}` }, asBotSignal(signal))).message_id;
  }
}

const nameOf = ({ image_id, media_type }: Image): string =>
  `${image_id}.${media_type.split('/')[1] ?? 'png'}`;

/** The sentence about a file that Telegram would not take. */
export const tooLarge = (name: string): string =>
  `${name} is larger than 50 MB: Telegram takes no such files from bots.`;
