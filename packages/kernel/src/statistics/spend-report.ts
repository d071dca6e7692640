/** Reports spending of the last days, by day, model or surface (WEB-12). */
import type { SpendReport, SpendReportBy, Usage } from '@chat-kernel/protocol';
import { idAt } from '../base/ids.ts';
import { add, NOTHING_USED } from '../model/pricing.ts';
import type { SpentTurn, Store } from '../ports/index.ts';

interface ReportParts {
  store: { spend: Pick<Store['spend'], 'listDays'>; turns: Pick<Store['turns'], 'listSpent'> };
  dayOf(time: number): string;
  now: number;
}

const DAY_MS = 86_400_000;
/** Days begin up to 14 hours before those of UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;
const PAGE = 1000;

export async function reportSpend(
  { store, dayOf, now }: ReportParts,
  days: number,
  by: SpendReportBy,
): Promise<SpendReport> {
  const to = dayOf(now);
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const spent = await store.spend.listDays(from);
  const total = { turns: 0, used: NOTHING_USED };
  const sums = new Sums();
  for (const { day, model, ...used } of spent) {
    total.used = add(total.used, used);
    if (by !== 'surface') sums.add(by === 'day' ? day : model, used);
  }
  for await (const turn of turnsSince(store.turns, Date.parse(from) - MAX_OFFSET_MS)) {
    const day = dayOf(Date.parse(turn.created_at));
    if (day < from || turn.model === null) continue;
    total.turns += 1;
    const key = { day, model: turn.model, surface: surfaceOf(turn) }[by];
    sums.add(key, by === 'surface' ? turn.usage : NOTHING_USED, 1);
  }
  if (by === 'surface') sums.addRest(total.used);
  return { by, from, to, rows: sums.rows(), total: { ...total.used, turns: total.turns } };
}

/** The module that posted the message, `schedule`, or `client`: the page, the terminal and other programs. */
const surfaceOf = ({ anchor, schedule }: SpentTurn): string =>
  anchor ? (anchor.module ?? 'module') : schedule ? 'schedule' : 'client';

/** Reads page by page, so that memory does not grow with the number of turns. */
async function* turnsSince(
  turns: ReportParts['store']['turns'],
  time: number,
): AsyncGenerator<SpentTurn, void, undefined> {
  // The time in an id is its first 12 digits, and a part of an id precedes the whole.
  let after = idAt(Math.max(0, time), 0).slice(0, 13);
  for (;;) {
    const page = await turns.listSpent(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    after = last.id;
  }
}

class Sums {
  readonly #sums = new Map<string, { used: Usage; turns: number }>();

  add(key: string, used: Usage, turns = 0): void {
    const sum = this.#sums.get(key) ?? { used: NOTHING_USED, turns: 0 };
    this.#sums.set(key, { used: add(sum.used, used), turns: sum.turns + turns });
  }

  /** Adds what no turn has spent as `other`: titles, completions, compaction by hand, and deleted chats. */
  addRest(total: Usage): void {
    const known = [...this.#sums.values()].map(({ used }) => used).reduce(add, NOTHING_USED);
    const rest = (of: Exclude<keyof Usage, 'cost_usd'>) => Math.max(0, total[of] - known[of]);
    const cost =
      total.cost_usd === null || known.cost_usd === null
        ? null
        : Math.max(0, total.cost_usd - known.cost_usd);
    const used: Usage = {
      prompt_tokens: rest('prompt_tokens'),
      completion_tokens: rest('completion_tokens'),
      reasoning_tokens: rest('reasoning_tokens'),
      cached_tokens: rest('cached_tokens'),
      cost_usd: cost,
    };
    if (used.prompt_tokens + used.completion_tokens > 0) this.add('other', used);
  }

  rows(): SpendReport['rows'] {
    return [...this.#sums]
      .map(([key, { used, turns }]) => ({ key, ...used, turns }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
