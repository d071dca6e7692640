/**
 * Raises of caps, and warnings that were given, by period. Both are in memory: after a restart the master is asked
 * again.
 */
import { type Cap, type CapStatus, isOfAll } from './caps.ts';

interface Allowance {
  cap: Cap;
  period: string;
  raised_by: number;
  /** People were told that the cap is near. */
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

  /** Notes that people are told that the cap is near; true the first time alone. */
  tells(status: CapStatus): boolean {
    const allowance = this.#of(status);
    const first = !allowance.told;
    allowance.told = true;
    return first;
  }

  /** Forgets a turn or a chat that is over. */
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

  /** Forgets the days or months before the one that begins. */
  #forgetBefore(scope: Cap['scope'], period: string): void {
    for (const [key, old] of this.#byKey) {
      if (old.cap.scope === scope && old.period < period) this.#byKey.delete(key);
    }
  }
}

const keyOf = ({ scope, unit }: Cap, period: string): string => `${scope} ${unit} ${period}`;
