/** The bill of voice: what a call may cost and has cost, and where that is counted. */
import { KernelError, type Usage, type VoicePrice } from '@chat-kernel/protocol';
import { NOTHING_USED } from '../model/pricing.ts';
import type { Audio, SpeechModel, Store, Transcript, TranscriptionModel } from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import type { Spending } from '../spend/spending.ts';
import { wavSeconds } from './wav.ts';

/** Bytes of a second of audio as microphones record it; for audio of which nobody has said how long it is. */
const USUAL_BYTES_PER_SECOND = 4_000;

/** A call, as far as it costs something. */
interface Call {
  model: TranscriptionModel | SpeechModel;
  per: keyof VoicePrice;
  /** Minutes, or millions of characters. */
  amount: number;
}

export const hearing = (model: TranscriptionModel, { bytes }: Audio, told: number | null = null): Call => {
  const seconds = told ?? wavSeconds(bytes) ?? bytes.length / USUAL_BYTES_PER_SECOND;
  return { model, per: 'per_minute', amount: seconds / 60 };
};

export const speaking = (model: SpeechModel, text: string): Call => ({
  model,
  per: 'per_million_chars',
  amount: text.length / 1_000_000,
});

export class VoiceBill {
  readonly #store: Pick<Store, 'spend'>;
  readonly #spending: Spending;

  constructor(store: Pick<Store, 'spend'>, spending: Spending) {
    this.#store = store;
    this.#spending = spending;
  }

  /**
   * Lets a call pass once there is room for it under the caps.
   * @param signal ends the waiting
   * @throws KernelError spend_cap where a cap is reached, or could not be held
   */
  async reserve(call: Call, signal: AbortSignal): Promise<Reservation> {
    const cost_usd = costOf(call);
    const { id } = call.model.record;
    const price = cost_usd === null ? null : {};
    const model = { id, price, price_setting: `voice.models[].price.${call.per}` };
    const estimate = () => ({ ...NOTHING_USED, cost_usd });
    const given = await this.#spending.reserveSide(model, null, estimate, signal);
    if (typeof given === 'string') throw new KernelError('spend_cap', given);
    return given;
  }

  /** Counts a call; returns its cost in USD, null where the price is unknown. */
  async book(call: Call, tokens: Transcript['tokens'] = null): Promise<number | null> {
    const cost_usd = costOf(call);
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

function costOf({ model, per, amount }: Call): number | null {
  const price = model.record.price?.[per];
  return price === undefined ? null : amount * price;
}
