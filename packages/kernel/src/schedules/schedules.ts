/** Schedules as the API and the tool of the model offer them: made, read, changed, listed (SCHED-1, SCHED-3). */
import {
  type CreateSchedule,
  type DeletedSchedule,
  KernelError,
  type PatchSchedule,
  type Schedule,
  type ScheduleList,
  type ScheduleRunPage,
} from '@chat-kernel/protocol';
import { isId, newId } from '../base/ids.ts';
import { PerKey } from '../base/keyed-queue.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import { unknownModel } from '../model/choice.ts';
import {
  type Clock,
  type Models,
  type ScheduleDesk,
  type ScheduleRecord,
  type Store,
  timestamp,
} from '../ports/index.ts';
import { checkTiming, firstDue, type Timing } from './due-times.ts';

const MOST = 1000;

interface SchedulesDeps {
  store: Pick<Store, 'chats' | 'schedules'>;
  models: Models;
  events: Pick<KernelEvents, 'scheduleChanged'>;
  clock: Clock;
  /** Absent: no other kernel has this database. */
  shared: SharedLog | undefined;
}

export class Schedules implements ScheduleDesk {
  readonly #deps: SchedulesDeps;
  readonly #changes = new PerKey();
  readonly #watchers = new Set<() => void>();

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
    deps.shared?.onChange('schedules', async () => this.#timesChanged());
  }

  /** Calls back whenever another time may be the next one. */
  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  async list(): Promise<ScheduleList> {
    return { schedules: await this.#deps.store.schedules.list() };
  }

  /** @throws KernelError not_found */
  async get(id: string): Promise<Schedule> {
    const schedule = isId(id) ? await this.#deps.store.schedules.get(id) : undefined;
    if (schedule === undefined) throw noSchedule(id);
    return schedule;
  }

  firstDue(wanted: Pick<CreateSchedule, 'cron' | 'at' | 'timezone'>): { next_at: string; timezone: string } {
    const timing = timingOf(wanted);
    checkTiming(timing);
    return { next_at: firstDue(timing, this.#deps.clock.now()), timezone: timing.timezone };
  }

  /** @throws KernelError invalid_value, unknown_model */
  create(wanted: CreateSchedule): Promise<Schedule> {
    const { text, chat_id = null, title = null, model = null, effort = null } = wanted;
    const { catch_up = 'none', max_cost_usd = null, enabled = true } = wanted;
    return this.#changed('', async () => {
      const { next_at } = this.firstDue(wanted);
      await this.#check({ chat_id, model });
      const { store, clock } = this.#deps;
      if ((await store.schedules.count()) >= MOST) {
        throw new KernelError('invalid_value', `There are ${MOST} schedules already: delete some of them.`);
      }
      const schedule: ScheduleRecord = {
        id: newId(),
        text: text.toWellFormed(),
        ...timingOf(wanted),
        chat_id,
        title,
        model,
        effort,
        catch_up,
        max_cost_usd,
        enabled,
        problem: null,
        created_at: timestamp(clock),
        next_at: enabled ? next_at : null,
      };
      await store.schedules.create(schedule);
      this.#tell(schedule.id);
      return { ...schedule, last: null };
    });
  }

  /**
   * Another cron, time or zone counts from now on, as does switching it on: times that have passed meanwhile were not due.
   * @throws KernelError not_found, invalid_value, unknown_model
   */
  patch(id: string, patch: PatchSchedule): Promise<Schedule> {
    return this.#changed(id, async () => {
      const before = await this.get(id);
      const { cron = before.cron, at = before.at, timezone = before.timezone } = onlyOne(patch);
      const timing = timingOf({ ...(cron !== null && { cron }), ...(at !== null && { at }), timezone });
      checkTiming(timing);
      const { enabled = before.enabled, chat_id = before.chat_id } = patch;
      const begins = enabled && !before.enabled;
      await this.#check({
        ...(patch.model !== undefined && { model: patch.model }),
        chat_id: begins || patch.chat_id !== undefined ? chat_id : null,
      });
      const isTimed = [patch.cron, patch.at, patch.timezone].some(value => value !== undefined);
      const retimed = isTimed || enabled !== before.enabled;
      const next_at = enabled && retimed ? firstDue(timing, this.#deps.clock.now()) : null;
      await this.#deps.store.schedules.update(id, {
        ...patch,
        ...timing,
        ...(patch.text !== undefined && { text: patch.text.toWellFormed() }),
        ...(enabled && { problem: null }),
        ...(retimed && { next_at }),
      });
      this.#tell(id);
      return this.get(id);
    });
  }

  /** Runs that are under way go on. @throws KernelError not_found */
  delete(id: string): Promise<DeletedSchedule> {
    return this.#changed(id, async () => {
      if (!isId(id) || !(await this.#deps.store.schedules.delete(id))) throw noSchedule(id);
      this.#tell(id);
      return { deleted: true, id };
    });
  }

  /** @param page.before a due time: only runs that were due earlier @throws KernelError not_found */
  async runs(id: string, { limit, before }: { limit: number; before?: string }): Promise<ScheduleRunPage> {
    await this.get(id);
    const page = { limit, ...(before !== undefined && { before }) };
    const runs = await this.#deps.store.schedules.listRuns(id, page);
    return {
      runs: runs.map(({ schedule_id: _, ...run }) => run),
      next_before: runs.at(-1)?.due_at ?? null,
    };
  }

  /** Tells that the schedules of a deleted chat are disabled; the store has done so with the chat. */
  async chatDeleted(chatId: string): Promise<void> {
    const { schedules } = await this.list();
    for (const { id, chat_id } of schedules) if (chat_id === chatId) this.#tell(id);
  }

  #changed<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    return this.#changes.run(id, change);
  }

  #tell(id: string): void {
    this.#deps.events.scheduleChanged(id);
    this.#deps.shared?.tell({ what: 'schedules' });
    this.#timesChanged();
  }

  #timesChanged(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async #check({ chat_id, model = null }: { chat_id: string | null; model?: string | null }): Promise<void> {
    const { store, models } = this.#deps;
    if (model !== null && models.find(model) === undefined) throw unknownModel(model, models, '/model');
    if (chat_id !== null && (await store.chats.get(chat_id)) === undefined) {
      const detail = `There is no chat ${chat_id}.`;
      throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/chat_id', detail }] });
    }
  }
}

const noSchedule = (id: string): KernelError =>
  new KernelError('not_found', `There is no schedule ${id.slice(0, 100)}.`);

/** The timing as it is kept: a single time to the second, and the zone of this machine where none is named. */
function timingOf({ cron, at, timezone }: Pick<CreateSchedule, 'cron' | 'at' | 'timezone'>): Timing {
  return {
    cron: cron?.trim() ?? null,
    at: at === undefined ? null : new Date(Math.floor(Date.parse(at) / 1000) * 1000).toISOString(),
    timezone: timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** What a patch says of the times: where it names one of cron and at, the other one is gone. */
function onlyOne({ cron, at, timezone }: PatchSchedule) {
  const zone = timezone === undefined ? {} : { timezone };
  if (cron !== undefined && at === undefined) return { ...zone, cron, at: null };
  if (at !== undefined && cron === undefined) return { ...zone, at, cron: null };
  return { ...zone, ...(cron !== undefined && { cron }), ...(at !== undefined && { at }) };
}
