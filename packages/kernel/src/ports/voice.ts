/** Defines transcription and speech models for the kernel. */
import type {
  SpeechFormat,
  SpeechModel as SpeechRecord,
  TranscriptionModel as TranscriptionRecord,
} from '@chat-kernel/protocol';

export interface Audio {
  bytes: Uint8Array<ArrayBuffer>;
  /** Such as audio/webm, without parameters. */
  media_type: string;
}

export interface Transcript {
  text: string;
  /** ISO 639; null: not reported. */
  language: string | null;
  /** Null: not reported. */
  duration_secs: number | null;
  /** Null if the provider counts no tokens. */
  tokens: { prompt: number; completion: number } | null;
}

/**
 * Each call is retried like a provider request (429, 5xx, broken connections; at most 3 times), and throws a
 * ModelError. Aborting the signal ends the provider's request down to the socket.
 */
export interface TranscriptionModel {
  readonly record: TranscriptionRecord;
  transcribe(audio: Audio, language: string | undefined, signal: AbortSignal): Promise<Transcript>;
}

export interface SpeechModel {
  readonly record: SpeechRecord;
  /** The maximum number of characters of one request. */
  readonly max_chars: number;
  /** The audio of one request. @param said the text; `voice` undefined: that of the provider */
  speak(
    said: { text: string; voice: string | undefined; format: SpeechFormat },
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>>;
}

export interface VoiceModels {
  /** The available models, the default one first. */
  transcription: readonly TranscriptionModel[];
  /** The available models, the default one first. */
  speech: readonly SpeechModel[];
  /** The setting voice.voice. */
  voice: string | null;
}
