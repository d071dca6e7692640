/** Schedules: messages that come by themselves, at times of a cron line or once, and what became of each (SCHED-1). */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { ChatTitle, Id, Timestamp } from '../base/primitives.ts';
import { TurnError } from './turn.ts';

const CatchUp = z
  .enum(['none', 'last'])
  .describe('What becomes of times more than 60 s late. none: they are missed. last: the latest one runs.');

/** What POST and PATCH have in common. */
const fields = {
  text: z.string().trim().min(1).max(20_000).describe('The message, as its owner would send it.'),
  cron: z
    .string()
    .max(200)
    .describe('Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN count.'),
  at: z.iso.datetime({ offset: true }).describe('One time, to the second, in place of cron.'),
  timezone: z.string().min(1).max(100).describe('IANA name of the zone in which cron counts.'),
  chat_id: Id.nullable().describe('Null: a new chat each time.'),
  title: ChatTitle.nullable().describe('Of the new chat.'),
  model: z.string().min(1).nullable(),
  effort: Effort.nullable(),
  catch_up: CatchUp,
  max_cost_usd: z
    .number()
    .positive()
    .max(1e6)
    .nullable()
    .describe('What one run may spend: once it is spent the turn ends as failed with spend_cap.'),
  enabled: z.boolean(),
};

export const CreateSchedule = z
  .object({
    text: fields.text,
    cron: fields.cron.optional(),
    at: fields.at.optional(),
    timezone: fields.timezone.optional(),
    chat_id: fields.chat_id.optional(),
    title: fields.title.optional(),
    model: fields.model.optional(),
    effort: fields.effort.optional(),
    catch_up: fields.catch_up.default('none'),
    max_cost_usd: fields.max_cost_usd.optional(),
    enabled: fields.enabled.default(true),
  })
  .meta({ id: 'CreateSchedule', description: 'Exactly one of cron and at.' });
export type CreateSchedule = z.input<typeof CreateSchedule>;

export const PatchSchedule = z
  .object(fields)
  .partial()
  .meta({ id: 'PatchSchedule', description: 'cron takes the place of at, and the other way round.' });
export type PatchSchedule = z.infer<typeof PatchSchedule>;

export const RunStatus = z
  .enum(['running', 'completed', 'failed', 'cancelled', 'missed'])
  .meta({ id: 'RunStatus', description: 'running: its turn has not ended; it may still wait.' });
export type RunStatus = z.infer<typeof RunStatus>;

export const Schedule = z
  .object({
    id: Id,
    text: z.string(),
    cron: z.string().nullable(),
    at: Timestamp.nullable(),
    timezone: z.string(),
    chat_id: fields.chat_id,
    title: z.string().nullable(),
    model: z.string().nullable(),
    effort: Effort.nullable(),
    catch_up: CatchUp,
    max_cost_usd: z.number().nullable(),
    enabled: z.boolean(),
    problem: z.string().nullable().describe('Why the kernel has disabled it.'),
    created_at: Timestamp,
    next_at: Timestamp.nullable().describe('Null: it is disabled, or its one time is over.'),
    last: z
      .object({ due_at: Timestamp, status: RunStatus, turn_id: Id.nullable() })
      .nullable()
      .describe('The newest run.'),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleList = z
  .object({ schedules: z.array(Schedule).describe('The oldest first.') })
  .meta({ id: 'ScheduleList' });
export type ScheduleList = z.infer<typeof ScheduleList>;

export const ScheduleRun = z
  .object({
    due_at: Timestamp.describe('Of a run by hand: when it was asked for.'),
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    chat_id: Id.nullable(),
    turn_id: Id.nullable().describe('Null: no turn came of it.'),
    status: RunStatus,
    error: TurnError.optional(),
  })
  .meta({ id: 'ScheduleRun' });
export type ScheduleRun = z.infer<typeof ScheduleRun>;

export const ScheduleRunPage = z
  .object({
    runs: z.array(ScheduleRun).describe('The newest first.'),
    next_before: Timestamp.nullable().describe('For the next page; null where this page is empty.'),
  })
  .meta({ id: 'ScheduleRunPage' });
export type ScheduleRunPage = z.infer<typeof ScheduleRunPage>;

export const StartedRun = z.object({ turn_id: Id, chat_id: Id }).meta({ id: 'StartedRun' });
export type StartedRun = z.infer<typeof StartedRun>;

export const DeletedSchedule = z.object({ deleted: z.literal(true), id: Id }).meta({ id: 'DeletedSchedule' });
export type DeletedSchedule = z.infer<typeof DeletedSchedule>;
