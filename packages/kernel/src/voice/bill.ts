/** The bill of voice: what a call costs, and where that is counted. */
import type { Usage, VoicePrice } from '@chat-kernel/protocol';
import { NOTHING_USED } from '../model/pricing.ts';
import type { Audio, SpeechModel, Store, Transcript, TranscriptionModel } from '../ports/index.ts';
import type { Spending } from '../spend/spending.ts';
import { wavSeconds } from './wav.ts';

/** Bytes of a second of audio as microphones record it; for audio of which nobody has said how long it is. */
const USUAL_BYTES_PER_SECOND = 4_000;

export class VoiceBill {
  readonly #store: Pick<Store, 'spend'>;
  readonly #spending: Spending;

  constructor(store: Pick<Store, 'spend'>, spending: Spending) {
    this.#store = store;
    this.#spending = spending;
  }

  /** Lets a call pass. @throws KernelError spend_cap where a cap is reached, or could not be held */
  check({ record: { id, price } }: TranscriptionModel | SpeechModel, per: keyof VoicePrice): Promise<void> {
    const known = price?.[per] === undefined ? null : price;
    return this.#spending.checkSideCall({ id, price: known, price_setting: `voice.models[].price.${per}` });
  }

  /** Counts a transcription; returns its cost in USD, null where the price is unknown. */
  async heard(
    { record: { id, price } }: TranscriptionModel,
    { bytes }: Audio,
    { duration_secs, tokens }: Transcript,
  ): Promise<number | null> {
    const seconds = duration_secs ?? wavSeconds(bytes) ?? bytes.length / USUAL_BYTES_PER_SECOND;
    const cost_usd = price?.per_minute === undefined ? null : (seconds / 60) * price.per_minute;
    await this.#book(id, {
      ...NOTHING_USED,
      prompt_tokens: tokens?.prompt ?? 0,
      completion_tokens: tokens?.completion ?? 0,
      cost_usd,
    });
    return cost_usd;
  }

  /** Counts what was read aloud. */
  async spoken({ record: { id, price } }: SpeechModel, text: string): Promise<void> {
    const per = price?.per_million_chars;
    await this.#book(id, {
      ...NOTHING_USED,
      cost_usd: per === undefined ? null : (text.length * per) / 1_000_000,
    });
  }

  async #book(model: string, spent: Usage): Promise<void> {
    const day = this.#spending.record(spent, model, null);
    await this.#store.spend.record({ model, turns: 0, ...spent }, [day]);
  }
}
