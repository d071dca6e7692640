/** Starts the turns of schedules when they are due, each once (SCHED-2). */
import {
  alarm,
  type ChatRecord,
  type FeatureHost,
  KeyedQueue,
  type RunClaim,
  timestamp,
} from '@chat-kernel/kernel';
import type { StartedRun } from '@chat-kernel/protocol';
import { HTTP_ERRORS, KernelError, type TurnError, type TurnRequest } from '@chat-kernel/protocol';
import { DECISION_BATCH_SIZE, decide } from './decide.ts';
import type { ScheduleRecord, Settled } from './records.ts';
import type { Schedules } from './schedules.ts';
import type { ScheduleStore } from './store.ts';

/** The poll interval, because the system clock may be set; waiting for due times is otherwise free. */
const POLL_INTERVAL_MS = 15_000;
/** The delay before a failed start or write is retried. */
const RETRY_MS = 5000;
/** The poll interval if several kernels share the database: another one may have changed a schedule, or have died. */
const LOOK_AROUND_MS = 5000;
/** Schedules processed concurrently. */
const SCHEDULE_BATCH_SIZE = 50;

type Host = Pick<FeatureHost, 'clock' | 'events' | 'log' | 'ownership' | 'store' | 'turns'>;

type Waiting = ScheduleRecord & { next_at: string };

export class Scheduler {
  readonly #host: Host;
  readonly #store: ScheduleStore;
  readonly #schedules: Schedules;
  readonly #inTurn = new KeyedQueue();
  #stopAlarm = () => {};
  #stopped = false;

  constructor(host: Host, store: ScheduleStore, schedules: Schedules) {
    this.#host = host;
    this.#store = store;
    this.#schedules = schedules;
  }

  /** Called once, when turns can be started. */
  begin(): void {
    this.#schedules.watch(() => this.#look());
    this.#look();
  }

  /** Starts nothing more; resolves once everything in progress is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopAlarm();
    await this.#inTurn.settled();
  }

  /**
   * Starts a run manually, whether or not the schedule is enabled.
   * @throws KernelError not_found, and the errors of `TurnStarter.startRun`
   */
  run(id: string): Promise<StartedRun> {
    return this.#inTurn.run(id, async () => {
      const schedule = await this.#schedules.get(id);
      for (let time = this.#host.clock.now(); ; time++) {
        const due_at = new Date(time).toISOString();
        // A manual run must not take the row of a due time. Those of cron lines are whole seconds.
        if (time % 1000 === 0 || due_at === schedule.at || (await this.#store.run(id, due_at))) continue;
        return this.#start(schedule, { schedule_id: id, due_at });
      }
    });
  }

  #look(): void {
    const looked = this.#inTurn.run('', async () => {
      if (!this.#stopped) await this.#takeUpAll();
    });
    looked.catch(error => {
      this.#host.log.warn({ err: error }, 'looking up due schedules failed');
      this.#lookAt(this.#host.clock.now() + RETRY_MS);
    });
  }

  async #takeUpAll(): Promise<void> {
    const { clock, store } = this.#host;
    let now: string;
    for (;;) {
      now = timestamp(clock);
      const due = await this.#store.listDue(now, SCHEDULE_BATCH_SIZE);
      if (due.length === 0) break;
      const taken = await Promise.all(due.map(schedule => this.#takeUp(schedule as Waiting)));
      if (this.#stopped) return;
      if (!taken.includes(true)) return this.#lookAt(clock.now() + RETRY_MS);
    }
    // An unreadable schedule stays due; waiting for it would never end.
    const next = await this.#store.nextAt(now);
    const around = store.fleet === null ? null : clock.now() + LOOK_AROUND_MS;
    const times = [next === null ? null : Date.parse(next), around].filter(time => time !== null);
    if (times.length === 0) this.#stopAlarm();
    else this.#lookAt(Math.min(...times));
  }

  #lookAt(time: number): void {
    this.#stopAlarm();
    if (this.#stopped) return;
    this.#stopAlarm = alarm(this.#host.clock, time, () => this.#look(), POLL_INTERVAL_MS);
  }

  /** Decides about the due time of a schedule; false if that must be retried later. */
  async #takeUp(schedule: Waiting): Promise<boolean> {
    const { clock, log } = this.#host;
    try {
      const { missed, run, next_at } = decide(schedule, clock.now());
      if (missed.length > 0) {
        const runs = missed.map(due_at => ({ due_at, status: 'missed', error: null }) as const);
        return await this.#settle(schedule, runs, run ?? next_at);
      }
      return await this.#startDue(schedule, next_at);
    } catch (error) {
      if (!this.#stopped)
        log.warn({ err: error, schedule_id: schedule.id }, 'starting a scheduled run failed');
      return false;
    }
  }

  async #startDue(schedule: Waiting, next_at: string | null): Promise<boolean> {
    const { id: schedule_id, chat_id, next_at: due_at } = schedule;
    // The kernel that owns the chat starts the run.
    if (chat_id !== null && (await this.#host.ownership.place(chat_id)) !== null) return false;
    try {
      await this.#start(schedule, { schedule_id, due_at, next_at });
      return true;
    } catch (error) {
      // Another kernel has started it, or the owner has changed the schedule.
      if ((await this.#store.get(schedule_id))?.next_at !== due_at) return true;
      // The clock was set back, and this time already has an outcome.
      const isKnown = (await this.#store.run(schedule_id, due_at)) !== undefined;
      if (!isKnown && !isLasting(error)) throw error;
      const failed = { due_at, status: 'failed', error: toTurnError(error as Error) } as const;
      return this.#settle(schedule, [failed], next_at, { tells: !isKnown });
    }
  }

  async #start(schedule: ScheduleRecord, claim: RunClaim): Promise<StartedRun> {
    const { id, chat_id, title, max_cost_usd, grants } = schedule;
    const started = await this.#host.turns.startRun({
      claim,
      chat_id,
      title,
      max_cost_usd,
      grants,
      request: chat => runRequest(schedule, chat, claim.due_at),
    });
    this.#host.events.publish({ type: 'schedule_changed', schedule_id: id });
    return started;
  }

  /** Stores due times that start no turn, and emits an event for the last of them. */
  async #settle(
    { id: schedule_id, next_at: due_at }: Waiting,
    runs: Settled['runs'],
    next_at: string | null,
    { tells } = { tells: true },
  ): Promise<boolean> {
    const { clock, events } = this.#host;
    const ended_at = timestamp(clock);
    const settled = await this.#store.settle({ schedule_id, due_at, next_at, runs, ended_at });
    const last = runs.at(-1);
    if (!settled || last === undefined || !tells) return true;
    events.publish({ type: 'schedule_changed', schedule_id });
    // If very many times were missed, only the last one emits an event, when it is decided.
    const hasMore = next_at !== null && Date.parse(next_at) <= clock.now();
    if (runs.length === DECISION_BATCH_SIZE && hasMore) return true;
    const { due_at: told, status } = last;
    const nowhere = { chat_id: null, turn_id: null };
    events.publish({ type: 'schedule_ended', schedule_id, due_at: told, status, ...nowhere });
    return true;
  }
}

/** Whether the kernel would refuse the turn again. After any other failure the time stays due. */
const isLasting = (error: unknown): boolean =>
  error instanceof KernelError && !HTTP_ERRORS[error.code].retryable;

function toTurnError(error: Error): TurnError {
  const code = error instanceof KernelError && error.code === 'unknown_model' ? 'no_model' : 'internal';
  return { code, message: error.message, retryable: false };
}

/**
 * The user may be absent, so the turn asks no questions; and it works on the kernel's machine only if the owner has
 * placed the chat there.
 */
function runRequest(
  { text, model, effort }: ScheduleRecord,
  chat: Pick<ChatRecord, 'workdir_on'>,
  dueAt: string,
): TurnRequest {
  return {
    text,
    context: `This message was sent automatically by a schedule of the user, who may not be present now. It was due at ${dueAt}.`,
    machine: chat.workdir_on === 'server' ? 'auto' : 'none',
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    on_busy: 'queue',
  };
}
