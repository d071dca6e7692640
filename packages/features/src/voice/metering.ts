/** Reserves the estimated cost of voice calls, and records their cost. */
import {
  type Audio,
  NOTHING_USED,
  type Reservation,
  type SpeechModel,
  type Store,
  type Transcript,
  type TranscriptionModel,
} from '@chat-kernel/kernel';
import { KernelError, type Usage, type VoicePrice } from '@chat-kernel/protocol';
import type { FeatureServices } from '../feature.ts';
import { wavSeconds } from './wav.ts';

/** Bytes per second of typical microphone recordings, for audio of unknown length. */
const USUAL_BYTES_PER_SECOND = 4_000;

/** The billed parts of a call. */
interface Call {
  model: TranscriptionModel | SpeechModel;
  per: keyof VoicePrice;
  /** Minutes, or millions of characters. */
  amount: number;
}

export const transcriptionCall = (
  model: TranscriptionModel,
  { bytes }: Audio,
  told: number | null = null,
): Call => {
  const seconds = told ?? wavSeconds(bytes) ?? bytes.length / USUAL_BYTES_PER_SECOND;
  return { model, per: 'per_minute', amount: seconds / 60 };
};

export const speaking = (model: SpeechModel, text: string): Call => ({
  model,
  per: 'per_million_chars',
  amount: text.length / 1_000_000,
});

export class VoiceMeter {
  readonly #store: Pick<Store, 'spend'>;
  readonly #spending: FeatureServices['spending'];

  constructor(store: Pick<Store, 'spend'>, spending: FeatureServices['spending']) {
    this.#store = store;
    this.#spending = spending;
  }

  /**
   * Waits until the caps have room for the call, and reserves its cost.
   * @param signal ends the waiting
   * @throws KernelError spend_cap if a cap is reached, or cannot be enforced
   */
  async reserve(call: Call, signal: AbortSignal): Promise<Reservation> {
    const cost_usd = estimateCost(call);
    const { id } = call.model.record;
    const price = cost_usd === null ? null : {};
    const model = { id, price, price_setting: `voice.models[].price.${call.per}` };
    const estimate = () => ({ ...NOTHING_USED, cost_usd });
    const reservation = await this.#spending.reserveSide(model, null, estimate, signal);
    if (typeof reservation === 'string') throw new KernelError('spend_cap', reservation);
    return reservation;
  }

  /** Records a call; returns its cost in USD, null if the price is unknown. */
  async book(call: Call, tokens: Transcript['tokens'] = null): Promise<number | null> {
    const cost_usd = estimateCost(call);
    const spent: Usage = {
      ...NOTHING_USED,
      prompt_tokens: tokens?.prompt ?? 0,
      completion_tokens: tokens?.completion ?? 0,
      cost_usd,
    };
    const { id: model } = call.model.record;
    const day = this.#spending.record(spent, model, null);
    await this.#store.spend.record({ model, turns: 0, ...spent }, [day]);
    return cost_usd;
  }
}

function estimateCost({ model, per, amount }: Call): number | null {
  const price = model.record.price?.[per];
  return price === undefined ? null : amount * price;
}
