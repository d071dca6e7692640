/**
 * Stores raises of caps and given warnings by period. Both are in memory: after a restart the user is asked again. Only
 * raises that count for several kernels are in their database.
 */
import { type Cap, type CapStatus, capKey, isOfAll } from './caps.ts';

interface Allowance {
  cap: Cap;
  period: string;
  raised_by: number;
  /** True if users were warned that the cap is near. */
  warned: boolean;
}

export class Allowances {
  readonly #byKey = new Map<string, Allowance>();
  /** The raises that count for all kernels of the database. */
  #shared: ReadonlyMap<string, number> = new Map();

  raisedBy(cap: Cap, period: string): number {
    const key = capKey(cap, period);
    return (this.#byKey.get(key)?.raised_by ?? 0) + (this.#shared.get(key) ?? 0);
  }

  /** Updates the raises from the database. */
  share(raised: readonly { cap: string; by: number }[]): void {
    this.#shared = new Map(raised.map(({ cap, by }) => [cap, by]));
  }

  raise(status: CapStatus, by: number): void {
    this.#of(status).raised_by += by;
  }

  /** Records the warning that the cap is near; returns true only the first time. */
  tells(status: CapStatus): boolean {
    const allowance = this.#of(status);
    const first = !allowance.warned;
    allowance.warned = true;
    return first;
  }

  /** Drops the data of an ended turn or a deleted chat. */
  forget(scope: Cap['scope'], period: string): void {
    for (const [key, { cap, period: its }] of this.#byKey) {
      if (cap.scope === scope && its === period) this.#byKey.delete(key);
    }
  }

  #of({ of: cap, period }: CapStatus): Allowance {
    const key = capKey(cap, period);
    let allowance = this.#byKey.get(key);
    if (allowance === undefined) {
      if (isOfAll(cap)) this.#forgetBefore(cap.scope, period);
      allowance = { cap, period, raised_by: 0, warned: false };
      this.#byKey.set(key, allowance);
    }
    return allowance;
  }

  /** Drops the days or months before the one that begins. */
  #forgetBefore(scope: Cap['scope'], period: string): void {
    for (const [key, old] of this.#byKey) {
      if (old.cap.scope === scope && old.period < period) this.#byKey.delete(key);
    }
  }
}
