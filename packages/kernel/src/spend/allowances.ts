/** What has become of caps in their periods. In memory: a restart forgets it, and asks again. */
import { type Cap, type CapStatus, isOfAll } from './caps.ts';

interface Allowance {
  cap: Cap;
  period: string;
  raised_by: number;
  /** People know that it is near. */
  told: boolean;
}

export class Allowances {
  readonly #byKey = new Map<string, Allowance>();

  raisedBy(cap: Cap, period: string): number {
    return this.#byKey.get(keyOf(cap, period))?.raised_by ?? 0;
  }

  raise(status: CapStatus, by: number): void {
    this.#of(status).raised_by += by;
  }

  /** True the first time alone. */
  tells(status: CapStatus): boolean {
    const allowance = this.#of(status);
    const first = !allowance.told;
    allowance.told = true;
    return first;
  }

  /** A turn or a chat is over. */
  forget(scope: Cap['scope'], period: string): void {
    for (const [key, { cap, period: its }] of this.#byKey) {
      if (cap.scope === scope && its === period) this.#byKey.delete(key);
    }
  }

  #of({ of: cap, period }: CapStatus): Allowance {
    const key = keyOf(cap, period);
    let allowance = this.#byKey.get(key);
    if (allowance === undefined) {
      if (isOfAll(cap)) this.#forgetBefore(cap.scope, period);
      allowance = { cap, period, raised_by: 0, told: false };
      this.#byKey.set(key, allowance);
    }
    return allowance;
  }

  /** A day or a month that begins ends the one before it. */
  #forgetBefore(scope: Cap['scope'], period: string): void {
    for (const [key, old] of this.#byKey) {
      if (old.cap.scope === scope && old.period < period) this.#byKey.delete(key);
    }
  }
}

const keyOf = ({ scope, unit }: Cap, period: string): string => `${scope} ${unit} ${period}`;
