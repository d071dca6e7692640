/** Runs transcription and speech, outside of any chat (VOICE-1, VOICE-2). */
import {
  type Audio,
  isId,
  type Reservation,
  type SpeechModel,
  sideFailure,
  type TranscriptionModel,
} from '@chat-kernel/kernel';
import {
  KernelError,
  MAX_SPEECH_CHARS,
  type SpeechRequest,
  type Transcription,
  type TranscriptionQuery,
  type VoiceList,
} from '@chat-kernel/protocol';
import type { FeatureServices } from '../feature.ts';
import { speaking, transcriptionCall, VoiceMeter } from './metering.ts';
import { readable } from './readable.ts';
import { slots } from './slots.ts';
import { splitText } from './split-text.ts';
import { joinedWav } from './wav.ts';

interface Spoken {
  /** The media type. */
  content_type: string;
  /** The audio as it arrives; the first piece is already available. */
  audio: AsyncIterable<Uint8Array>;
}

/** Each request holds its audio in memory, and sends a copy of it. */
const MAX_CONCURRENT_TRANSCRIPTIONS = 8;
const MAX_CONCURRENT_SPEECHES = 8;
/** A WAV is complete in memory before it is sent: this limit allows a quarter of an hour, about 50 MB. */
const MAX_WAV_CHARS = 15_000;

const CONTENT_TYPES = { mp3: 'audio/mpeg', wav: 'audio/wav', opus: 'audio/ogg' } as const;

type VoiceServices = Pick<FeatureServices, 'store' | 'voiceModels' | 'spending' | 'closing'>;

export class Voice {
  readonly #store: VoiceServices['store'];
  readonly #models: VoiceServices['voiceModels'];
  readonly #bill: VoiceMeter;
  /** Aborted when the kernel stops. */
  readonly #closing: AbortSignal;
  readonly #hearing = slots(MAX_CONCURRENT_TRANSCRIPTIONS, 'transcriptions');
  readonly #speaking = slots(MAX_CONCURRENT_SPEECHES, 'speech requests');

  constructor({ store, voiceModels, spending, closing }: VoiceServices) {
    this.#store = store;
    this.#models = voiceModels;
    this.#bill = new VoiceMeter(store, spending);
    this.#closing = closing;
  }

  list(): VoiceList {
    const { transcription, speech, voice } = this.#models;
    return {
      transcription: {
        models: transcription.map(({ record }) => record),
        default_model: transcription[0]?.record.id ?? null,
      },
      speech: {
        models: speech.map(({ record }) => record),
        default_model: speech[0]?.record.id ?? null,
        voice,
      },
    };
  }

  /**
   * Takes a slot for a transcription before its audio is read.
   * @param gone aborted when the request is over, which frees the slot
   * @throws KernelError too_busy
   */
  beginTranscription(gone: AbortSignal): void {
    this.#hearing(gone);
  }

  /** Selects the transcription model. @throws KernelError unknown_model, upstream_error */
  transcriber(id: string | undefined): TranscriptionModel {
    return chosen(this.#models.transcription, id, 'voice.transcription_model');
  }

  /**
   * Transcribes audio.
   * @param gone aborted when the client has disconnected, which also ends the provider request
   * @throws KernelError spend_cap, upstream_error, shutting_down
   */
  async transcribe(
    model: TranscriptionModel,
    { audio, language }: { audio: Audio } & Pick<TranscriptionQuery, 'language'>,
    gone: AbortSignal,
  ): Promise<Transcription> {
    const { transcript, cost_usd } = await this.#paid(transcriptionCall(model, audio), gone, async signal => {
      const transcript = await model.transcribe(audio, language, signal);
      const call = transcriptionCall(model, audio, transcript.duration_secs);
      return { transcript, cost_usd: await this.#bill.book(call, transcript.tokens) };
    });
    const { text, duration_secs } = transcript;
    return { text, model: model.record.id, language: transcript.language, duration_secs, cost_usd };
  }

  /**
   * Reads a text aloud, in pieces that the model accepts. MP3 is sent piece by piece, because its frames can be
   * concatenated. WAV is sent when it is complete, because its header contains the length. Opus is a single piece.
   * @param gone aborted when the request is over, which ends the provider requests
   * @throws KernelError invalid_value, not_found, unknown_model, spend_cap, upstream_error, too_busy, shutting_down
   */
  async speak(body: SpeechRequest, gone: AbortSignal): Promise<Spoken> {
    this.#speaking(gone);
    const markdown = await this.#textOf(body);
    if (markdown.length > MAX_SPEECH_CHARS) {
      throw invalid('', `The message has ${markdown.length} characters; the limit is ${MAX_SPEECH_CHARS}.`);
    }
    const model = chosen(this.#models.speech, body.model, 'voice.speech_model');
    const text = readable(markdown);
    if (text === '') throw invalid('/text', 'The text contains nothing to read aloud.');
    const format = body.format ?? model.record.formats[0] ?? 'mp3';
    if (!model.record.formats.includes(format)) {
      const { id, formats } = model.record;
      throw invalid('/format', `${id} supports the formats ${formats.join(', ')}.`);
    }
    if (format === 'wav' && text.length > MAX_WAV_CHARS) {
      throw invalid('/format', `WAV supports at most ${MAX_WAV_CHARS} characters. Request mp3.`);
    }
    const pieces = splitText(text, model.max_chars);
    if (format === 'opus' && pieces.length > 1) {
      throw invalid(
        '/format',
        `With Opus, this model supports at most ${model.max_chars} characters. Request another format.`,
      );
    }
    const voice = body.voice ?? this.#voiceFor(model);
    const said = (piece: string) => this.#say(model, { text: piece, voice, format }, gone);
    const first = await said(pieces[0] as string);
    const rest = pieces.slice(1);
    const content_type = CONTENT_TYPES[format];
    if (format !== 'wav') return { content_type, audio: following(first, rest, said) };
    const files = [first];
    for (const piece of rest) files.push(await said(piece));
    const whole = joinedWav(files);
    if (whole === null)
      throw new KernelError('upstream_error', `${model.record.id} returned invalid WAV data.`);
    return { content_type, audio: following(whole, [], said) };
  }

  #say(model: SpeechModel, said: Parameters<SpeechModel['speak']>[0], gone: AbortSignal) {
    const call = speaking(model, said.text);
    return this.#paid(call, gone, async signal => {
      const audio = await model.speak(said, signal);
      await this.#bill.book(call);
      return audio;
    });
  }

  /** @throws KernelError spend_cap, upstream_error, shutting_down */
  async #paid<Result>(
    call: Parameters<VoiceMeter['reserve']>[0],
    gone: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const closing = this.#closing;
    const signal = AbortSignal.any([gone, closing]);
    let reservation: Reservation | undefined;
    try {
      reservation = await this.#bill.reserve(call, signal);
      return await work(signal);
    } catch (error) {
      throw sideFailure(error, { closing, gone });
    } finally {
      reservation?.free();
    }
  }

  /** The voice in the settings belongs to the default model; another model may not have it. */
  #voiceFor(model: SpeechModel): string | undefined {
    const { speech, voice } = this.#models;
    return (model === speech[0] ? voice : null) ?? model.record.voices[0];
  }

  async #textOf({ text, chat_id, message_id }: SpeechRequest): Promise<string> {
    const isNamed = chat_id !== undefined && message_id !== undefined;
    if (text !== undefined && chat_id === undefined && message_id === undefined) return text;
    if (text !== undefined || !isNamed) {
      throw invalid('', 'Give either text, or chat_id and message_id.');
    }
    const known = isId(chat_id) && isId(message_id);
    const message = known ? await this.#store.messages.get(chat_id, message_id) : undefined;
    if (message === undefined)
      throw new KernelError('not_found', 'There is no message with this id in this chat.');
    return message.content
      .flatMap(block => (block.type === 'text' && isSaid(block.internal) ? [block.text] : []))
      .join('\n\n');
  }
}

/** Whether a text was written by the user or the model, and does not represent something else. */
const isSaid = (
  internal: { note?: unknown; compaction?: unknown; drawn?: unknown; file?: unknown } = {},
): boolean => (internal.note ?? internal.compaction ?? internal.drawn ?? internal.file) === undefined;

async function* following(
  first: Uint8Array,
  rest: readonly string[],
  said: (piece: string) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (const piece of rest) yield await said(piece);
}

function chosen<Model extends TranscriptionModel | SpeechModel>(
  models: readonly Model[],
  id: string | undefined,
  setting: string,
): Model {
  const model = id === undefined ? models[0] : models.find(({ record }) => record.id === id);
  if (model !== undefined) return model;
  if (id === undefined) {
    throw new KernelError(
      'upstream_error',
      `No model is available for this. Set ${setting} (see docs/voice.md).`,
    );
  }
  const known = models.map(({ record }) => record.id).join(', ') || 'none';
  const detail = `There is no model ${id}. Known: ${known}.`;
  throw new KernelError('unknown_model', detail, { errors: [{ pointer: '/model', detail }] });
}

const invalid = (pointer: string, detail: string): KernelError =>
  new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
