/** Creates, reads, changes and lists schedules for the API and for the tool of the model (SCHED-1, SCHED-3). */
import {
  type FeatureHost,
  isId,
  KeyedQueue,
  newId,
  type RunDescription,
  type RunRef,
  timestamp,
  unknownModel,
} from '@chat-kernel/kernel';
import type {
  CreateSchedule,
  DeletedSchedule,
  PatchSchedule,
  Schedule,
  ScheduleGrant,
  ScheduleList,
  ScheduleRunPage,
} from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';
import type { Page } from '../feature.ts';
import { checkTiming, firstDue, type Timing } from './due-times.ts';
import { checkGrants } from './grants.ts';
import type { ScheduleRecord } from './records.ts';
import type { ScheduleStore } from './store.ts';

const MAX_SCHEDULES = 1000;

type Host = Pick<FeatureHost, 'clock' | 'events' | 'findTool' | 'models' | 'shared' | 'store'>;

export class Schedules {
  readonly #host: Host;
  readonly #store: ScheduleStore;
  readonly #changes = new KeyedQueue();
  readonly #watchers = new Set<() => void>();

  constructor(host: Host, store: ScheduleStore) {
    this.#host = host;
    this.#store = store;
    host.shared?.onChange('schedules', async () => this.#timesChanged());
  }

  /** Calls `watcher` whenever the next due time may have changed. */
  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  async list(): Promise<ScheduleList> {
    return { schedules: await this.#store.list() };
  }

  /** @throws KernelError not_found */
  async get(id: string): Promise<Schedule> {
    const schedule = isId(id) ? await this.#store.get(id) : undefined;
    if (schedule === undefined) throw noSchedule(id);
    return schedule;
  }

  /** Calculates the first due time of a schedule. @throws KernelError invalid_value */
  firstDue(wanted: Pick<CreateSchedule, 'cron' | 'at' | 'timezone'>): { next_at: string; timezone: string } {
    const timing = toTiming(wanted);
    checkTiming(timing);
    return { next_at: firstDue(timing, this.#host.clock.now()), timezone: timing.timezone };
  }

  /** Returns the grants to store. @throws KernelError invalid_value */
  checkGrants(wanted: CreateSchedule['grants'] = []): ScheduleGrant[] {
    return checkGrants(wanted, this.#host.findTool);
  }

  /** @throws KernelError invalid_value, unknown_model */
  create(wanted: CreateSchedule): Promise<Schedule> {
    const { text, chat_id = null, title = null, model = null, effort = null } = wanted;
    const { catch_up = 'none', max_cost_usd = null, enabled = true } = wanted;
    return this.#changed('', async () => {
      const { next_at } = this.firstDue(wanted);
      await this.#check({ chat_id, model });
      const grants = this.checkGrants(wanted.grants);
      if ((await this.#store.count()) >= MAX_SCHEDULES) {
        throw new KernelError(
          'invalid_value',
          `There are already ${MAX_SCHEDULES} schedules, the maximum. Delete one first.`,
        );
      }
      const schedule: ScheduleRecord = {
        id: newId(),
        text: text.toWellFormed(),
        ...toTiming(wanted),
        chat_id,
        title,
        model,
        effort,
        catch_up,
        max_cost_usd,
        grants,
        enabled,
        problem: null,
        created_at: timestamp(this.#host.clock),
        next_at: enabled ? next_at : null,
      };
      await this.#store.create(schedule);
      this.#tell(schedule.id);
      return { ...schedule, last: null };
    });
  }

  /**
   * A changed cron line, time or zone applies from now on, and so does enabling: past times were not due.
   * @throws KernelError not_found, invalid_value, unknown_model
   */
  patch(id: string, patch: PatchSchedule): Promise<Schedule> {
    return this.#changed(id, async () => {
      const before = await this.get(id);
      const { cron = before.cron, at = before.at, timezone = before.timezone } = onlyOne(patch);
      const timing = toTiming({ ...(cron !== null && { cron }), ...(at !== null && { at }), timezone });
      checkTiming(timing);
      const { enabled = before.enabled, chat_id = before.chat_id } = patch;
      const begins = enabled && !before.enabled;
      await this.#check({
        ...(patch.model !== undefined && { model: patch.model }),
        chat_id: begins || patch.chat_id !== undefined ? chat_id : null,
      });
      const isTimed = [patch.cron, patch.at, patch.timezone].some(value => value !== undefined);
      const retimed = isTimed || enabled !== before.enabled;
      const next_at = enabled && retimed ? firstDue(timing, this.#host.clock.now()) : null;
      await this.#store.update(id, {
        ...patch,
        ...timing,
        ...(patch.text !== undefined && { text: patch.text.toWellFormed() }),
        ...(patch.grants !== undefined && { grants: this.checkGrants(patch.grants) }),
        ...(enabled && { problem: null }),
        ...(retimed && { next_at }),
      });
      this.#tell(id);
      return this.get(id);
    });
  }

  /** Running turns continue. @throws KernelError not_found */
  delete(id: string): Promise<DeletedSchedule> {
    return this.#changed(id, async () => {
      if (!isId(id) || !(await this.#store.delete(id))) throw noSchedule(id);
      this.#tell(id);
      return { deleted: true, id };
    });
  }

  /** @param page.before a due time: only runs that were due earlier @throws KernelError not_found */
  async runs(id: string, { limit, before }: Page): Promise<ScheduleRunPage> {
    await this.get(id);
    const runs = await this.#store.listRuns(id, { limit, before: before && new Date(before).toISOString() });
    return {
      runs: runs.map(({ schedule_id: _, ...run }) => run),
      next_before: runs.at(-1)?.due_at ?? null,
    };
  }

  /** Describes a run for a notification. */
  async describeRun({ schedule_id, due_at }: RunRef): Promise<RunDescription> {
    const run = await this.#store.run(schedule_id, due_at);
    const schedule = await this.#store.get(schedule_id);
    return { title: schedule?.title ?? null, error: run?.error ?? null };
  }

  /** The chat whose kernel handles a manual run; null if any kernel may start it. */
  async chatOfRun(id: string): Promise<string | null> {
    return (isId(id) && (await this.#store.get(id))?.chat_id) || null;
  }

  /** Emits events for the disabled schedules of a deleted chat; the store has disabled them with the chat. */
  async chatDeleted(chatId: string): Promise<void> {
    const { schedules } = await this.list();
    for (const { id, chat_id } of schedules) if (chat_id === chatId) this.#tell(id);
  }

  #changed<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    return this.#changes.run(id, change);
  }

  #tell(id: string): void {
    this.#host.events.publish({ type: 'schedule_changed', schedule_id: id });
    this.#host.shared?.publish({ what: 'schedules' });
    this.#timesChanged();
  }

  #timesChanged(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async #check({ chat_id, model = null }: { chat_id: string | null; model?: string | null }): Promise<void> {
    const { store, models } = this.#host;
    if (model !== null && models.find(model) === undefined) throw unknownModel(model, models, '/model');
    if (chat_id !== null && (await store.chats.get(chat_id)) === undefined) {
      const detail = `There is no chat ${chat_id}.`;
      throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/chat_id', detail }] });
    }
  }
}

const noSchedule = (id: string): KernelError =>
  new KernelError('not_found', `There is no schedule ${id.slice(0, 100)}.`);

/** Returns the timing to store, with the zone of this machine if the request names none. */
function toTiming({ cron, at, timezone }: Pick<CreateSchedule, 'cron' | 'at' | 'timezone'>): Timing {
  return {
    cron: cron?.trim() ?? null,
    at: at === undefined ? null : toMilliseconds(at),
    timezone: timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Rounds up to the millisecond, so that no run begins before the requested time. */
function toMilliseconds(time: string): string {
  const isFiner = /\.\d{3}\d*[1-9]/.test(time);
  return new Date(Date.parse(time) + (isFiner ? 1 : 0)).toISOString();
}

/** If a patch sets one of cron and at, it clears the other one. */
function onlyOne({ cron, at, timezone }: PatchSchedule) {
  const zone = timezone === undefined ? {} : { timezone };
  if (cron !== undefined && at === undefined) return { ...zone, cron, at: null };
  if (at !== undefined && cron === undefined) return { ...zone, at, cron: null };
  return { ...zone, ...(cron !== undefined && { cron }), ...(at !== undefined && { at }) };
}
