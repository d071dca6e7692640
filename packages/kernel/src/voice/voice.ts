/** Voice: audio that becomes text, and text that becomes audio, outside of any chat (VOICE-1, VOICE-2). */
import {
  KernelError,
  MOST_SPOKEN_CHARS,
  type SpeechRequest,
  type Transcription,
  type TranscriptionQuery,
  type VoiceList,
} from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { sideFailure } from '../model/side-failure.ts';
import type { Audio, SpeechModel, Store, TranscriptionModel, VoiceModels } from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import type { Spending } from '../spend/spending.ts';
import { hearing, speaking, VoiceBill } from './bill.ts';
import { piecesOf } from './pieces.ts';
import { Places } from './places.ts';
import { readable } from './readable.ts';
import { joinedWav } from './wav.ts';

export interface Spoken {
  /** The media type. */
  content_type: string;
  /** The audio as it comes; the first of it is there. */
  audio: AsyncIterable<Uint8Array>;
}

/** Each holds its audio in memory, which is sent on in a copy. */
const MOST_HEARD_AT_ONCE = 8;
const MOST_SPOKEN_AT_ONCE = 8;
/** A WAV is whole in memory before it is sent: this makes a quarter of an hour, some 50 MB. */
const MOST_WAV_CHARS = 15_000;

const CONTENT_TYPES = { mp3: 'audio/mpeg', wav: 'audio/wav', opus: 'audio/ogg' } as const;

export class Voice {
  readonly #store: Pick<Store, 'messages' | 'chats'>;
  readonly #models: VoiceModels;
  readonly #bill: VoiceBill;
  /** Aborted when the kernel stops. */
  readonly #closing: AbortSignal;
  readonly #hearing = new Places(MOST_HEARD_AT_ONCE, 'transcriptions');
  readonly #speaking = new Places(MOST_SPOKEN_AT_ONCE, 'texts that are read aloud');

  constructor(
    store: Pick<Store, 'spend' | 'messages' | 'chats'>,
    models: VoiceModels,
    spending: Spending,
    closing: AbortSignal,
  ) {
    this.#store = store;
    this.#models = models;
    this.#bill = new VoiceBill(store, spending);
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
   * Takes a place for a transcription, before its audio is read.
   * @param gone aborted when the request is over, which frees the place
   * @throws KernelError too_busy
   */
  beginTranscription(gone: AbortSignal): void {
    this.#hearing.take(gone);
  }

  /** The model that writes down audio. @throws KernelError unknown_model, upstream_error */
  transcriber(id: string | undefined): TranscriptionModel {
    return chosen(this.#models.transcription, id, 'voice.transcription_model');
  }

  /**
   * Writes down what is said.
   * @param gone aborted when the client has hung up: the call to the provider then ends too
   * @throws KernelError spend_cap, upstream_error, shutting_down
   */
  async transcribe(
    model: TranscriptionModel,
    { audio, language }: { audio: Audio } & Pick<TranscriptionQuery, 'language'>,
    gone: AbortSignal,
  ): Promise<Transcription> {
    const { transcript, cost_usd } = await this.#paid(hearing(model, audio), gone, async signal => {
      const transcript = await model.transcribe(audio, language, signal);
      const call = hearing(model, audio, transcript.duration_secs);
      return { transcript, cost_usd: await this.#bill.book(call, transcript.tokens) };
    });
    const { text, duration_secs } = transcript;
    return { text, model: model.record.id, language: transcript.language, duration_secs, cost_usd };
  }

  /**
   * Reads a text aloud, in pieces that the model takes. MP3 goes out piece by piece, for its frames stand in a row; WAV
   * when it is whole, for its header says how long it is; Opus is one piece.
   * @param gone aborted when the request is over, which ends the calls to the provider
   * @throws KernelError invalid_value, not_found, unknown_model, spend_cap, upstream_error, too_busy, shutting_down
   */
  async speak(body: SpeechRequest, gone: AbortSignal): Promise<Spoken> {
    this.#speaking.take(gone);
    const markdown = await this.#textOf(body);
    if (markdown.length > MOST_SPOKEN_CHARS) {
      throw invalid(
        '',
        `The message has ${markdown.length} characters: at most ${MOST_SPOKEN_CHARS} are read.`,
      );
    }
    const model = chosen(this.#models.speech, body.model, 'voice.speech_model');
    const text = readable(markdown);
    if (text === '') throw invalid('/text', 'There is nothing in it that could be read aloud.');
    const format = body.format ?? model.record.formats[0] ?? 'mp3';
    if (!model.record.formats.includes(format)) {
      const { id, formats } = model.record;
      throw invalid('/format', `${id} makes ${formats.join(', ')}.`);
    }
    if (format === 'wav' && text.length > MOST_WAV_CHARS) {
      throw invalid('/format', `WAV holds at most ${MOST_WAV_CHARS} characters: ask for mp3.`);
    }
    const pieces = piecesOf(text, model.max_chars);
    if (format === 'opus' && pieces.length > 1) {
      throw invalid(
        '/format',
        `Opus holds at most ${model.max_chars} characters of this model: ask for another format.`,
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
    if (whole === null) throw new KernelError('upstream_error', `${model.record.id} sent what is no WAV.`);
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
    call: Parameters<VoiceBill['reserve']>[0],
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

  /** The voice of the settings belongs to the default model; another one may not have it. */
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
    if (message === undefined) throw new KernelError('not_found', 'There is no such message in this chat.');
    return message.content
      .flatMap(block => (block.type === 'text' && isSaid(block.internal) ? [block.text] : []))
      .join('\n\n');
  }
}

/** Whether a text is the words of its speaker, and does not stand for something else. */
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
      `No model of this use can be used: set ${setting} (docs/voice.md).`,
    );
  }
  const known = models.map(({ record }) => record.id).join(', ') || 'none';
  const detail = `There is no such model ${id}. Known: ${known}.`;
  throw new KernelError('unknown_model', detail, { errors: [{ pointer: '/model', detail }] });
}

const invalid = (pointer: string, detail: string): KernelError =>
  new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
