/**
 * The known facts of speech models before their provider is asked; settings override them. Prices are those of their
 * vendors on 2026-07-02. If a vendor bills audio tokens, the price is its own estimate per minute, and a minute of
 * speech counts as a thousand characters.
 */
import type { SpeechFormat, VoicePrice } from '@chat-kernel/protocol';
import type { Vendor } from '../catalogue/index.ts';

export interface TranscriptionFacts {
  name: string;
  price: VoicePrice | null;
  /**
   * The model returns language and length if `verbose_json` is requested, which the package does not do automatically.
   */
  verbose?: true;
}

export interface SpeechFacts {
  name: string;
  price: VoicePrice | null;
  /** The default comes first. */
  voices: string[];
  /** The default comes first. */
  formats: SpeechFormat[];
  /** Maximum characters of one request. */
  max_chars: number;
}

interface VoiceFacts {
  transcription: Record<string, TranscriptionFacts>;
  speech: Record<string, SpeechFacts>;
}

const OLD_VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];
const VOICES = [...OLD_VOICES, 'ballad', 'cedar', 'marin', 'verse'];
const ORPHEUS = ['autumn', 'diana', 'hannah', 'austin', 'daniel', 'troy'];
const FORMATS: SpeechFormat[] = ['mp3', 'wav', 'opus'];
const perMinute = (per_minute: number): VoicePrice => ({ per_minute });
const perMillion = (per_million_chars: number): VoicePrice => ({ per_million_chars });
const speech = (
  name: string,
  price: VoicePrice | null,
  voices: string[],
  max_chars: number,
  formats = FORMATS,
): SpeechFacts => ({ name, price, voices, formats, max_chars });

/** Vendor → purpose → model name → facts. The first model of a vendor is its default. */
const CATALOGUE: Partial<Record<Vendor, VoiceFacts>> = {
  openai: {
    transcription: {
      'gpt-4o-mini-transcribe': { name: 'GPT-4o mini Transcribe', price: perMinute(0.003) },
      'gpt-4o-transcribe': { name: 'GPT-4o Transcribe', price: perMinute(0.006) },
      'whisper-1': { name: 'Whisper', price: perMinute(0.006) },
    },
    speech: {
      // The limit is 2000 tokens, which in some languages are hardly more characters.
      'gpt-4o-mini-tts': speech('GPT-4o mini TTS', perMillion(15), VOICES, 1500),
      'tts-1': speech('TTS-1', perMillion(15), OLD_VOICES, 4096),
      'tts-1-hd': speech('TTS-1 HD', perMillion(30), OLD_VOICES, 4096),
    },
  },
  groq: {
    transcription: {
      'whisper-large-v3-turbo': {
        name: 'Whisper Large v3 Turbo',
        price: perMinute(0.04 / 60),
        verbose: true,
      },
      'whisper-large-v3': { name: 'Whisper Large v3', price: perMinute(0.111 / 60), verbose: true },
    },
    speech: {
      'canopylabs/orpheus-v1-english': speech('Orpheus v1 English', null, ORPHEUS, 200, ['wav']),
    },
  },
};

/** The facts of an undescribed model: its requests are those of OpenAI's models. */
export const ASSUMED_SPEECH: Omit<SpeechFacts, 'name'> = {
  price: null,
  voices: [],
  formats: FORMATS,
  max_chars: 1500,
};

const NONE: VoiceFacts = { transcription: {}, speech: {} };

export const findVoiceFacts = (vendor: Vendor | undefined): VoiceFacts =>
  (vendor === undefined ? undefined : CATALOGUE[vendor]) ?? NONE;
