/** Starts the turns of schedules when they are due, each time once (SCHED-2). */
import { KernelError, type StartedRun, type TurnError } from '@chat-kernel/protocol';
import type { ChatChanges } from '../api/chat-changes.ts';
import { PerKey } from '../base/keyed-queue.ts';
import type { Chats } from '../chats/chats.ts';
import { type RunClaim, type ScheduleRecord, timestamp } from '../ports/index.ts';
import { DECIDED_AT_ONCE, decide } from '../schedules/decide.ts';
import { alarm } from '../sleep/alarm.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Turns } from '../turns/turns.ts';
import { runRequest } from './run-request.ts';

/** The time between two looks at the clock, which may be set: waiting for what is due costs nothing else. */
const LOOK_MS = 15_000;
/** What could not be started or stored is tried again after this. */
const RETRY_MS = 5000;
/** Where several kernels share the database, another one may have changed what is due, or have died. */
const LOOK_AROUND_MS = 5000;
/** Schedules that are taken up side by side. */
const AT_ONCE = 50;
/** Failures that pass: the time stays due. */
const PASSING: readonly string[] = ['storage_unavailable', 'shutting_down', 'kernel_away', 'internal'];

interface SchedulerDeps {
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'ownership' | 'schedules' | 'store'>;
  chats: Chats;
  turns: Turns;
  changes: ChatChanges;
}

type Waiting = ScheduleRecord & { next_at: string };

export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #inTurn = new PerKey();
  #stopAlarm = () => {};
  #stopped = false;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** Called once, when turns can be started. */
  begin(): void {
    this.#deps.services.schedules.watch(() => this.#look());
    this.#look();
  }

  /** Starts nothing more; resolves once what it has begun is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopAlarm();
    await this.#inTurn.settled();
  }

  /**
   * Starts a run by hand, whether the schedule is enabled or not.
   * @throws KernelError not_found, and as `Turns.start`
   */
  run(id: string): Promise<StartedRun> {
    return this.#inTurn.run(id, async () => {
      const { clock, schedules, store } = this.#deps.services;
      const schedule = await schedules.get(id);
      for (let time = clock.now(); ; time++) {
        const due_at = new Date(time).toISOString();
        // Times of schedules are whole seconds, so a run by hand takes the place of none.
        if (time % 1000 === 0 || (await store.schedules.run(id, due_at))) continue;
        return this.#start(schedule, { schedule_id: id, due_at });
      }
    });
  }

  #look(): void {
    const looked = this.#inTurn.run('', async () => {
      if (!this.#stopped) await this.#takeUpAll();
    });
    looked.catch(error => {
      this.#deps.services.log.warn({ err: error }, 'what is due could not be looked up');
      this.#lookAt(this.#deps.services.clock.now() + RETRY_MS);
    });
  }

  async #takeUpAll(): Promise<void> {
    const { clock, store } = this.#deps.services;
    for (;;) {
      const due = await store.schedules.listDue(timestamp(clock), AT_ONCE);
      if (due.length === 0) break;
      const taken = await Promise.all(due.map(schedule => this.#takeUp(schedule as Waiting)));
      if (this.#stopped) return;
      if (!taken.includes(true)) return this.#lookAt(clock.now() + RETRY_MS);
    }
    const next = await store.schedules.nextAt();
    const around = store.fleet === null ? null : clock.now() + LOOK_AROUND_MS;
    const times = [next === null ? null : Date.parse(next), around].filter(time => time !== null);
    if (times.length === 0) this.#stopAlarm();
    else this.#lookAt(Math.min(...times));
  }

  #lookAt(time: number): void {
    this.#stopAlarm();
    if (this.#stopped) return;
    this.#stopAlarm = alarm(this.#deps.services.clock, time, () => this.#look(), LOOK_MS);
  }

  /** Decides about the time for which a schedule waits; false where that has to be tried again later. */
  async #takeUp(schedule: Waiting): Promise<boolean> {
    const { clock, log } = this.#deps.services;
    try {
      const { missed, run, next_at } = decide(schedule, clock.now());
      if (missed.length > 0) {
        const runs = missed.map(due_at => ({ due_at, status: 'missed', error: null }) as const);
        return await this.#settle(schedule, runs, run ?? next_at);
      }
      return await this.#startDue(schedule, next_at);
    } catch (error) {
      if (!this.#stopped)
        log.warn({ err: error, schedule_id: schedule.id }, 'a schedule could not be taken up');
      return false;
    }
  }

  async #startDue(schedule: Waiting, next_at: string | null): Promise<boolean> {
    const { id: schedule_id, chat_id, next_at: due_at } = schedule;
    // The kernel that has the chat starts it.
    if (chat_id !== null && (await this.#deps.services.ownership.place(chat_id)) !== null) return false;
    try {
      await this.#start(schedule, { schedule_id, due_at, next_at });
      return true;
    } catch (error) {
      const { store } = this.#deps.services;
      // Another kernel has it, or its owner has changed it.
      if ((await store.schedules.get(schedule_id))?.next_at !== due_at) return true;
      // The clock was set back, and this time has had its outcome.
      const isKnown = (await store.schedules.run(schedule_id, due_at)) !== undefined;
      if (!isKnown && !(error instanceof KernelError && !PASSING.includes(error.code))) throw error;
      const failed = { due_at, status: 'failed', error: failureOf(error as Error) } as const;
      return this.#settle(schedule, [failed], next_at, { tells: !isKnown });
    }
  }

  async #start(schedule: ScheduleRecord, claim: RunClaim): Promise<StartedRun> {
    const { chats, turns, changes, services } = this.#deps;
    const { id, chat_id, title, max_cost_usd } = schedule;
    const parameters = {
      schedule: { id, due_at: claim.due_at },
      ...(max_cost_usd !== null && { max_cost_usd }),
    };
    const made = chat_id === null ? chats.made(title === null ? {} : { title }) : undefined;
    const chatId = made?.id ?? (chat_id as string);
    const owner = services.store.fleet?.id;
    const newChat = made && { chat: made, ...(owner !== undefined && { owner }) };
    if (made) services.ownership.made(chatId);
    const { turn_id } = await changes
      .run(chatId, async () => {
        const chat = made ?? (await chats.get(chatId));
        const run = { claim: { ...claim, ...newChat }, parameters };
        return turns.start(chat, runRequest(schedule, chat, claim.due_at), {}, run);
      })
      .catch(error => {
        if (made) services.ownership.unmade(chatId);
        throw error;
      });
    services.events.scheduleChanged(id);
    return { turn_id, chat_id: chatId };
  }

  /** Writes times that become no turn, and tells the last of them. */
  async #settle(
    { id: schedule_id, next_at: due_at }: Waiting,
    runs: Parameters<SchedulerDeps['services']['store']['schedules']['settle']>[0]['runs'],
    next_at: string | null,
    { tells } = { tells: true },
  ): Promise<boolean> {
    const { clock, events, store } = this.#deps.services;
    const ended_at = timestamp(clock);
    const settled = await store.schedules.settle({ schedule_id, due_at, next_at, runs, ended_at });
    const last = runs.at(-1);
    if (!settled || last === undefined || !tells) return true;
    events.scheduleChanged(schedule_id);
    // Of very many times that were missed the last is told, when its turn comes.
    const hasMore = next_at !== null && Date.parse(next_at) <= clock.now();
    if (runs.length === DECIDED_AT_ONCE && hasMore) return true;
    const { due_at: told, status } = last;
    events.scheduleEnded({ schedule_id, due_at: told, status, chat_id: null, turn_id: null });
    return true;
  }
}

function failureOf(error: Error): TurnError {
  const code = error instanceof KernelError && error.code === 'unknown_model' ? 'no_model' : 'internal';
  return { code, message: error.message, retryable: false };
}
