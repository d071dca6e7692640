/** Numbers of the kernel so far (API-2), and how often the judges of surfaces were right (API-3). */
import { KernelError, type Stats, type Triage, type TriageReport } from '@chat-kernel/protocol';
import { add, NOTHING_USED } from '../model/pricing.ts';
import type { Modules } from '../modules/modules.ts';
import type { Clock, Models, Store, TriageCounts } from '../ports/index.ts';
import type { Spending } from '../spend/spending.ts';

interface StatisticsParts {
  store: Pick<Store, 'chats' | 'spend' | 'triage'>;
  models: Models;
  modules: Modules;
  spending: Spending;
  clock: Clock;
}

export class Statistics {
  readonly #parts: StatisticsParts;
  readonly #since: number;

  constructor(parts: StatisticsParts) {
    this.#parts = parts;
    this.#since = parts.clock.now();
  }

  async read(): Promise<Omit<Stats, 'version'>> {
    const { store, models, modules, spending, clock } = this.#parts;
    const caps = spending.shownOfAll();
    const { cost_usd, ...tokens } = (await store.spend.listTotals())
      .map(({ model: _, turns: __, ...used }) => used)
      .reduce(add, NOTHING_USED);
    return {
      uptime_s: Math.max(0, clock.now() - this.#since) / 1000,
      ...(await store.chats.count()),
      tokens,
      cost_usd,
      rate_limits: models.rateLimits(),
      triage: withMisses(await store.triage.get()),
      modules: modules.states(),
      ...(caps && { caps }),
    };
  }

  /** Adds to the totals, and returns them. @throws KernelError invalid_value */
  async addTriage({ engaged, responded }: TriageReport): Promise<Triage> {
    if (responded > engaged) {
      const detail = 'More replies than messages that were engaged.';
      throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/responded', detail }] });
    }
    return withMisses(await this.#parts.store.triage.add({ engaged, responded }));
  }
}

/** The counts with their misses: messages that were engaged and to which nobody replied. */
const withMisses = ({ engaged, responded }: TriageCounts): Triage => ({
  engaged,
  responded,
  misses: engaged - responded,
});
