/** Measures how long a fleet takes to fulfill its promises after a death: p50 and p99 for each rule (FLEET-3). */
import type { Event } from '@chat-kernel/protocol';
import pg from 'pg';
import type { FleetLoad, Sent } from './fleet-load.ts';

const LOOK_MS = 5;
/** Longer than any rule allows: a longer time counts as this one. */
const LONGEST_MS = 60_000;

/** The outcome of an open turn whose kernel died. */
const WHAT = {
  running: 'its running turn was told to be over',
  queued: 'the first of its queue went on',
  sleeping: 'a turn that slept went on',
} as const;
/** A turn behind a sleeping one waits for the end of that one, which is not work of the fleet. */
const BEHIND_SLEEP = 'the first of its queue went on, behind a turn that had slept and had more to do';
type Status = keyof typeof WHAT;

interface OpenTurn {
  id: string;
  chat_id: string;
  status: Status;
}

interface Watched {
  turn: OpenTurn;
  what: string;
  sent: Sent;
  /** Events that its viewer had received before. */
  before: number;
}

export class FleetTimes {
  readonly #times = new Map<string, number[]>();
  readonly #db: pg.Pool;

  /** @param database its address */
  constructor(database: string) {
    this.#db = new pg.Pool({ connectionString: database, max: 1 });
  }

  close(): Promise<void> {
    return this.#db.end();
  }

  /** All open turns, each with its kernel. */
  async openTurns(): Promise<object[]> {
    const { rows } = await this.#db.query(
      `select turns.id, chat_id, status, owner, epoch, kernels.name as living from turns
       join chats on chats.id = turns.chat_id left join kernels on kernels.id = chats.owner
       where status in ('running', 'queued', 'sleeping') order by turns.id`,
    );
    return rows;
  }

  /** The open turns of a kernel that a client follows on another kernel; of each queue only the first. */
  async watchedAt(kernelId: string, load: FleetLoad): Promise<Watched[]> {
    const { rows } = await this.#db.query<OpenTurn>(
      `select turns.id, chat_id, status from turns join chats on chats.id = turns.chat_id
       where chats.owner = $1 and status in ('running', 'queued', 'sleeping') order by turns.id`,
      [kernelId],
    );
    const first = rows.filter(
      ({ status, chat_id, id }) =>
        status !== 'queued' ||
        rows.find(other => other.chat_id === chat_id && other.status === 'queued')?.id === id,
    );
    return first.flatMap(turn =>
      load.sent
        .filter(({ stream, at }) => stream.turnId === turn.id && at.id !== kernelId && !load.isOver(stream))
        .map(sent => ({ turn, what: whatOf(turn, rows), sent, before: sent.stream.events.length })),
    );
  }

  /**
   * Measures from now on. Resolves when all viewers have learned the outcome of their turns. @param how the cause: for
   * example a kill
   */
  async measure(how: string, watched: readonly Watched[], load: FleetLoad): Promise<void> {
    const began = Date.now();
    let open = [...watched];
    while (open.length > 0 && Date.now() < began + LONGEST_MS) {
      await new Promise(resolve => setTimeout(resolve, LOOK_MS));
      open = open.filter(({ what, sent, before }) => {
        const next = sent.stream.events.slice(before);
        if (!next.some(isNews) && !load.isOver(sent.stream)) return true;
        this.#note(how, what, Date.now() - Math.max(began, dueOf(sent, before)));
        return false;
      });
    }
    for (const { what } of open) this.#note(how, what, LONGEST_MS);
  }

  #note(how: string, what: string, ms: number): void {
    const key = `${how}: ${what}`;
    this.#times.set(key, [...(this.#times.get(key) ?? []), ms]);
  }

  /** One line per rule. */
  toString(): string {
    const lines = [...this.#times].toSorted().map(([key, times]) => `  ${key}: ${percentiles(times)}\n`);
    return lines.join('');
  }
}

const whatOf = ({ status, chat_id }: OpenTurn, all: readonly OpenTurn[]): string =>
  status === 'queued' && all.some(other => other.chat_id === chat_id && other.status === 'sleeping')
    ? BEHIND_SLEEP
    : WHAT[status];

/** In milliseconds. */
export const percentiles = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return times.length === 0
    ? 'nothing'
    : `${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (most) of ${times.length}`;
};

/** Whether an event shows that a turn ended or continues; the viewer already knows that it waits. */
const isNews = ({ type }: Event): boolean => type !== 'queued' && type !== 'sleeping';

/** When a sleeping turn had to continue; 0 for one that did not sleep. */
function dueOf({ stream }: Sent, before: number): number {
  const last = stream.events[before - 1];
  return last?.type === 'sleeping' && last.until !== null ? Date.parse(last.until) : 0;
}
