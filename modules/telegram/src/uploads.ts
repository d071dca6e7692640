/** Sends messages that are files: images, documents and voice. If Telegram rejects one, a text replaces it. */
import { isRetryable } from '@chat-kernel/client';
import { KernelApiError, type KernelClient } from '@chat-kernel/module-sdk';
import { errorDetail, hasStatus } from '@chat-kernel/module-sdk/surface';
import { InputFile } from 'grammy/web';
import { asBotSignal, isRefused, isUnknownBot, untilAnswered } from './bot.ts';
import type { Services } from './services.ts';
import type { Body, Image } from './tables.ts';

/** Bots can send no larger files. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

export interface To {
  chat_id: number;
  message_thread_id?: number;
}

type Upload = Exclude<Body, { kind: 'text' | 'exact' }>;
type Kind = 'photo' | 'voice' | 'document';

interface Sent {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** How it is shown, if Telegram accepts it as such. */
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
    const what = { name: imageFileName(image), as: 'photo' } as const;
    return this.#kept(to, what, options => kernel.getImage(image.image_id, options));
  }

  /** If Telegram rejects one as a photo, or one was deleted, each is sent separately. */
  async #album(to: To, images: readonly Image[]): Promise<number> {
    const { bot, kernel, signal } = this.#services;
    try {
      const media = await Promise.all(
        images.map(async image => {
          const bytes = await (await kernel.getImage(image.image_id, { signal })).arrayBuffer();
          const media = new InputFile(new Uint8Array(bytes), imageFileName(image));
          return { type: 'photo', media } as const;
        }),
      );
      const [first] = await bot.sendMediaGroup({ ...to, media }, asBotSignal(signal));
      return first!.message_id;
    } catch (error) {
      if (isUnknownBot(error) || !(isRefused(error) || hasStatus(error, 404))) throw error;
      const sent: number[] = [];
      // Retry each one here: repeating the whole album would send some of them twice.
      for (const image of images) sent.push(await untilAnswered(() => this.#image(to, image), signal));
      return sent[0]!;
    }
  }

  /** The stored file may have been deleted with its chat. */
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
      return this.#note(to, `${what.name} was deleted.`);
    }
    return this.#put(to, { ...what, bytes });
  }

  async #voice(to: To, markdown: string): Promise<number | null> {
    const { kernel, signal } = this.#services;
    let audio: Spoken | undefined;
    try {
      audio = await synthesize(markdown, kernel, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isRetryable(error)) throw error;
      return this.#note(to, `Could not create the voice message: ${errorDetail(error)}`);
    }
    if (!audio) return null;
    const { name, bytes, plays } = audio;
    // Retry here: another attempt would synthesize and bill the speech again.
    return untilAnswered(() => this.#put(to, { name, bytes, as: plays ? 'voice' : 'document' }), signal);
  }

  async #put(to: To, { name, bytes, as }: Sent): Promise<number> {
    if (bytes.length > MAX_FILE_BYTES) return this.#note(to, tooLarge(name));
    try {
      return await this.#call(to, { name, bytes, as });
    } catch (error) {
      if (!isRefused(error) || isUnknownBot(error)) throw error;
      // Send as a file what Telegram rejects as a photo (size, dimensions) or as voice (blocked by the user).
      if (as !== 'document') return this.#put(to, { name, bytes, as: 'document' });
      return this.#note(to, `${name} was rejected by Telegram: ${error.description}`);
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

const imageFileName = ({ image_id, media_type }: Image): string =>
  `${image_id}.${media_type.split('/')[1] ?? 'png'}`;

/** The text about a file that Telegram rejected. */
export const tooLarge = (name: string): string =>
  `${name} is larger than 50 MB, the limit for files that bots send on Telegram.`;

/** The maximum number of characters that the kernel reads aloud in one request. */
const MAX_TEXT = 50_000;

/** In order of preference: Telegram plays Opus and MP3 as voice messages, and shows WAV as a file. */
const FORMATS = [
  { format: 'opus', name: 'answer.ogg', plays: true },
  { format: 'mp3', name: 'answer.mp3', plays: true },
  { format: 'wav', name: 'answer.wav', plays: false },
] as const;

interface Spoken {
  bytes: Uint8Array<ArrayBuffer>;
  name: string;
  /** Whether Telegram plays it as a voice message. */
  plays: boolean;
}

/**
 * Converts answers to speech that Telegram can play, if the kernel has a speech model. Resolves with undefined if the
 * text contains nothing to read aloud.
 * @throws if the kernel rejects the request
 */
async function synthesize(
  markdown: string,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Spoken | undefined> {
  const text = markdown.slice(0, MAX_TEXT).toWellFormed();
  for (const { format, name, plays } of FORMATS) {
    try {
      const response = await kernel.speak({ text, format }, { signal });
      return { bytes: new Uint8Array(await response.arrayBuffer()), name, plays };
    } catch (error) {
      const refused = error instanceof KernelApiError ? error.errors[0]?.pointer : undefined;
      if (refused === '/text') return undefined;
      // The model does not support this format or length.
      if (refused !== '/format' || format === 'wav') throw error;
    }
  }
  return undefined;
}
