/** Downloads the media of messages from Telegram and uploads it to the kernel. */
import type { KernelClient, TurnStart } from '@chat-kernel/module-sdk';
import { errorDetail, hasStatus, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { Message } from 'grammy/types';
import { asBotSignal, isRefused, untilAnswered } from './bot.ts';
import type { Services } from './services.ts';

/** The size limit of downloads from Telegram's own server. */
const MAX_BYTES = 20 * 1024 * 1024;
const ATTEMPTS = 3;

export interface Media {
  images: NonNullable<TurnStart['images']>;
  files: { id: string }[];
  /** Transcriptions of audio. */
  transcripts: string[];
  /** True if there was audio, and no transcription model is configured. */
  noModel: boolean;
  /** Describes media that could not be used, for the model and the sender. */
  missing: string[];
}

interface Found {
  file_id: string;
  file_unique_id: string;
  file_size?: number;
  name: string;
  media_type: string;
  photo?: true;
  /** The kind of audio, as used in a sentence. */
  recording?: 'A voice note' | 'An audio file' | 'A video note';
}

/** Collects the media of all messages in order. */
export async function loadMedia(messages: readonly Message[], services: Services): Promise<Media> {
  const media: Media = { images: [], files: [], transcripts: [], noModel: false, missing: [] };
  for (const message of messages) {
    const found = foundIn(message);
    if (found) await add(found, media, services);
  }
  return media;
}

/** Telegram's id of the file of a message, which stays the same when it is forwarded; '' if there is none. */
export const fileIn = (message: Message): string => foundIn(message)?.file_unique_id ?? '';

async function add(found: Found, media: Media, services: Services): Promise<void> {
  if ((found.file_size ?? 0) > MAX_BYTES) {
    media.missing.push(
      `${found.name} is larger than 20 MB, the limit for files that Telegram passes to bots.`,
    );
    return;
  }
  const bytes = await download(found, services);
  if (bytes === undefined) media.missing.push(`${found.name} could not be downloaded from Telegram.`);
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
  // The last size is the largest one.
  const largest = photo?.at(-1);
  if (largest) return { ...largest, name: 'The photo', media_type: 'image/jpeg', photo: true };
  if (voice) {
    const media_type = voice.mime_type ?? 'audio/ogg';
    return { ...voice, name: 'voice.ogg', media_type, recording: 'A voice note' };
  }
  if (video_note) {
    return { ...video_note, name: 'video-note.mp4', media_type: 'video/mp4', recording: 'A video note' };
  }
  const named = animation ?? document ?? audio ?? video;
  if (!named) return undefined;
  const media_type = named.mime_type ?? 'application/octet-stream';
  const name = named.file_name ?? (audio ? 'audio' : video ? 'video' : 'file');
  return { ...named, name, media_type, ...(named === audio && { recording: 'An audio file' }) };
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
    const file = await retryUntilAvailable(
      () => kernel.uploadFile({ name, media_type, bytes }, { signal }),
      signal,
    );
    media.files.push({ id: file.id });
  } catch (error) {
    if (!hasStatus(error, 413)) throw error;
    media.missing.push(`${name}: ${errorDetail(error)}`);
  }
  if (found.recording === undefined) return;
  const transcript = await transcribe({ media_type, bytes }, kernel, signal);
  if ('why' in transcript) {
    media.missing.push(`${found.recording} is attached as a file; ${transcript.why}`);
    media.noModel ||= transcript.noModel;
  } else if (transcript.text === '')
    media.missing.push(`${found.recording} is attached as a file; no speech was detected in it.`);
  // Mark transcriptions, because they can contain errors.
  else media.transcripts.push(`[${found.recording}, transcribed by a model:]\n${transcript.text}`);
}

/**
 * Resolves with undefined if Telegram does not provide the file. The URL contains the token, so errors must not show
 * it.
 */
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

/** The time limit of a transcription, because the following messages wait for it. */
const TRANSCRIPTION_TIMEOUT_MS = 120_000;

interface Audio {
  media_type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The text, or the end of a sentence that says why there is none. */
type Transcript = { text: string } | { why: string; noModel: boolean };

/** Rejects only with the reason of the signal. */
async function transcribe(audio: Audio, kernel: KernelClient, signal: AbortSignal): Promise<Transcript> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TRANSCRIPTION_TIMEOUT_MS)]);
  try {
    const { transcription } = await retryUntilAvailable(() => kernel.listVoice({ signal }), patience);
    if (transcription.default_model === null)
      return { why: 'no transcription model is configured.', noModel: true };
    const { text } = await retryUntilAvailable(
      () => kernel.transcribe(audio, {}, { signal: patience }),
      patience,
    );
    return { text: text.trim() };
  } catch (error) {
    signal.throwIfAborted();
    const detail = patience.aborted ? 'Transcription took too long.' : errorDetail(error);
    return { why: `transcription failed: ${detail}`, noModel: false };
  }
}
