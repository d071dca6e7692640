/** What messages bring besides their text: fetched from Telegram, and given to the kernel. */
import type { KernelClient, TurnStart } from '@chat-kernel/module-sdk';
import type { Message } from 'grammy/types';
import { asBotSignal, type Bot, isRefused, untilAnswered } from './bot.ts';
import { heardIn } from './hearing.ts';
import { detailOf, hasStatus, whenThere } from './kernel-answers.ts';
import type { Settings } from './settings.ts';

/** Bots get no larger files from Telegram's own server. */
const MAX_BYTES = 20 * 1024 * 1024;
const ATTEMPTS = 3;

export interface Media {
  images: NonNullable<TurnStart['images']>;
  files: { id: string }[];
  /** What was said in audio, as far as a model has written it down. */
  spoken: string[];
  /** There was something to write down, and the kernel has no model for it. */
  deaf: boolean;
  /** Sentences about what could not be taken; the model and the sender should know. */
  missing: string[];
}

interface Found {
  file_id: string;
  file_unique_id: string;
  file_size?: number;
  name: string;
  media_type: string;
  photo?: true;
  /** What there is to be heard, as a sentence names it. */
  heard?: 'A voice note' | 'An audio file' | 'A video note';
}

interface Services {
  bot: Bot;
  kernel: KernelClient;
  settings: Settings;
  signal: AbortSignal;
}

/** What all the messages bring, in their order. */
export async function mediaOf(messages: readonly Message[], services: Services): Promise<Media> {
  const media: Media = { images: [], files: [], spoken: [], deaf: false, missing: [] };
  for (const message of messages) {
    const found = foundIn(message);
    if (found) await add(found, media, services);
  }
  return media;
}

/** The name that Telegram has for the file of a message, the same wherever it is sent; '' where there is none. */
export const fileIn = (message: Message): string => foundIn(message)?.file_unique_id ?? '';

async function add(found: Found, media: Media, services: Services): Promise<void> {
  if ((found.file_size ?? 0) > MAX_BYTES) {
    media.missing.push(`${found.name} is larger than 20 MB: Telegram gives bots no such files.`);
    return;
  }
  const bytes = await download(found, services);
  if (bytes === undefined) media.missing.push(`${found.name} could not be fetched from Telegram.`);
  else if (found.photo) {
    media.images.push({ media_type: 'image/jpeg', data: Buffer.from(bytes).toString('base64') });
  } else await give(found, bytes, media, services);
}

/** The one file of a message. */
function foundIn({
  photo,
  document,
  voice,
  audio,
  video,
  video_note,
  animation,
}: Message): Found | undefined {
  // The last size is the largest.
  const largest = photo?.at(-1);
  if (largest) return { ...largest, name: 'The photo', media_type: 'image/jpeg', photo: true };
  if (voice) {
    const media_type = voice.mime_type ?? 'audio/ogg';
    return { ...voice, name: 'voice.ogg', media_type, heard: 'A voice note' };
  }
  if (video_note) {
    return { ...video_note, name: 'video-note.mp4', media_type: 'video/mp4', heard: 'A video note' };
  }
  const named = animation ?? document ?? audio ?? video;
  if (!named) return undefined;
  const media_type = named.mime_type ?? 'application/octet-stream';
  const name = named.file_name ?? (audio ? 'audio' : video ? 'video' : 'file');
  return { ...named, name, media_type, ...(named === audio && { heard: 'An audio file' }) };
}

async function give(
  found: Found,
  bytes: Uint8Array<ArrayBuffer>,
  media: Media,
  services: Services,
): Promise<void> {
  const { kernel, signal } = services;
  const { name, media_type } = found;
  try {
    const file = await whenThere(() => kernel.uploadFile({ name, media_type, bytes }, { signal }), signal);
    media.files.push({ id: file.id });
  } catch (error) {
    if (!hasStatus(error, 413)) throw error;
    media.missing.push(`${name}: ${detailOf(error)}`);
  }
  if (found.heard === undefined) return;
  const heard = await heardIn({ media_type, bytes }, kernel, signal);
  if ('why' in heard) {
    media.missing.push(`${found.heard} is attached as a file; ${heard.why}`);
    media.deaf ||= heard.deaf;
  } else if (heard.words === '') media.missing.push(`${found.heard} in which nothing is said is attached.`);
  // A model mishears: whoever reads the words should know where they come from.
  else media.spoken.push(`[${found.heard}, written down by a model:]\n${heard.words}`);
}

/** Resolves with undefined where Telegram does not give the file. The address has the token in it: no error may show it. */
async function download(
  { file_id }: Found,
  { bot, settings, signal }: Services,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const { file_path } = await untilAnswered(() => bot.getFile({ file_id }, asBotSignal(signal)), signal);
      if (file_path === undefined) return undefined;
      const response = await fetch(`${settings.api_url}/file/bot${settings.token}/${file_path}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
      });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      if (isRefused(error)) return undefined;
    }
  }
  return undefined;
}
