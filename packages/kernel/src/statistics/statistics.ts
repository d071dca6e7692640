/** Collects the statistics of the kernel (API-2), and how often the judges of surfaces were right (API-3). */
import {
  invalidValue,
  type SpendReport,
  type SpendReportBy,
  type Stats,
  type Triage,
  type TriageReport,
} from '@chat-kernel/protocol';
import { add, NOTHING_USED } from '../model/pricing.ts';
import type { Modules } from '../modules/modules.ts';
import type { Clock, Models, Store, TriageCounts } from '../ports/index.ts';
import type { Spending } from '../spend/spending.ts';
import { reportSpend } from './spend-report.ts';

interface StatisticsParts {
  store: Pick<Store, 'chats' | 'spend' | 'triage' | 'turns'>;
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

  /** Returns what was spent in the last days, including today. */
  spend(days: number, by: SpendReportBy): Promise<SpendReport> {
    const { store, spending, clock } = this.#parts;
    return reportSpend({ store, dayOf: time => spending.dayOf(time), now: clock.now() }, days, by);
  }

  /** Adds to the totals, and returns them. @throws KernelError invalid_value */
  async addTriage({ engaged, responded }: TriageReport): Promise<Triage> {
    if (responded > engaged) throw invalidValue('/responded', 'responded is greater than engaged.');
    return withMisses(await this.#parts.store.triage.add({ engaged, responded }));
  }
}

/** The counts with their misses: engaged messages without a reply. */
const withMisses = ({ engaged, responded }: TriageCounts): Triage => ({
  engaged,
  responded,
  misses: engaged - responded,
});
