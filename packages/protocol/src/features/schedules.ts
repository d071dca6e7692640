/**
 * Defines the API schemas of schedules: messages sent automatically, by a cron line or once, and their runs (SCHED-1).
 */
import { z } from 'zod';
import { NameText } from '../base/bounded.ts';
import { Effort } from '../base/effort.ts';
import { ChatTitle, Id, TimeInput, Timestamp } from '../base/primitives.ts';
import { RunStatus, TurnError } from '../turns/turn.ts';

const CatchUp = z
  .enum(['none', 'last'])
  .describe(
    'Handles due times that are more than 60 s late. none: they are recorded as missed. last: the latest one runs.',
  );

const MAX_GRANTS = 50;

/** Questions show it, so it has no characters that change how the text around it looks. */
export const GrantTarget = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'expected one line without control characters');

export const ScheduleGrant = z
  .object({
    tool: z.string().min(1).max(200),
    target: GrantTarget.nullable()
      .default(null)
      .describe(
        'A tool with an address: its host. `shell`: the first words of commands. Tools for files: a file or directory. ' +
          'Other tools of modules and servers: their group, or the only recipient if they ask themselves. Null: all; ' +
          'not for tools with the effect `send`.',
      ),
  })
  .meta({ id: 'ScheduleGrant', description: 'Calls that need no consent in the turns of a schedule.' });
export type ScheduleGrant = z.infer<typeof ScheduleGrant>;

/** The common fields of POST and PATCH. */
const fields = {
  text: z.string().trim().min(1).max(20_000).describe('The message, sent as if the owner had typed it.'),
  cron: z
    .string()
    .max(200)
    .describe(
      'Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN are allowed.',
    ),
  at: TimeInput.describe('One time, instead of cron.'),
  timezone: z.string().min(1).max(100).describe('IANA name of the time zone for cron.'),
  chat_id: Id.nullable().describe('Null: a new chat for each run.'),
  title: ChatTitle.nullable().describe('The model of new chats.'),
  model: NameText.min(1).nullable(),
  effort: Effort.nullable(),
  catch_up: CatchUp,
  max_cost_usd: z
    .number()
    .positive()
    .max(1e6)
    .nullable()
    .describe('The cost limit of one run. When it is reached, the turn fails with spend_cap.'),
  grants: z
    .array(ScheduleGrant)
    .max(MAX_GRANTS)
    .describe(
      'Calls that do not ask in the turns of the schedule, also after they have read text that the owner did not ' +
        'write. They cover no secret places and no protected paths. Later turns use a changed list.',
    ),
  enabled: z.boolean(),
};

export const CreateSchedule = z
  .object({
    ...z.object(fields).partial().shape,
    text: fields.text,
    catch_up: fields.catch_up.default('none'),
    grants: fields.grants.default([]),
    enabled: fields.enabled.default(true),
  })
  .meta({ id: 'CreateSchedule', description: 'Exactly one of cron and at.' });
export type CreateSchedule = z.input<typeof CreateSchedule>;

export const PatchSchedule = z
  .object(fields)
  .partial()
  .meta({ id: 'PatchSchedule', description: 'Setting cron clears at, and setting at clears cron.' });
export type PatchSchedule = z.infer<typeof PatchSchedule>;

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
    grants: z.array(z.object({ tool: z.string(), target: z.string().nullable() })),
    enabled: z.boolean(),
    problem: z.string().nullable().describe('The reason if the kernel disabled it.'),
    created_at: Timestamp,
    next_at: Timestamp.nullable().describe('Null: disabled, or its only time has passed.'),
    last: z
      .object({ due_at: Timestamp, status: RunStatus, turn_id: Id.nullable() })
      .nullable()
      .describe('The latest run.'),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleList = z
  .object({ schedules: z.array(Schedule).describe('Oldest first.') })
  .meta({ id: 'ScheduleList' });
export type ScheduleList = z.infer<typeof ScheduleList>;

export const ScheduleRun = z
  .object({
    due_at: Timestamp.describe('For a manual run: the time of the request.'),
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    chat_id: Id.nullable(),
    turn_id: Id.nullable().describe('Null: the run started no turn.'),
    status: RunStatus,
    error: TurnError.optional(),
  })
  .meta({ id: 'ScheduleRun' });
export type ScheduleRun = z.infer<typeof ScheduleRun>;

export const ScheduleRunPage = z
  .object({
    runs: z.array(ScheduleRun).describe('Newest first.'),
    next_before: Timestamp.nullable().describe('The cursor of the next page. Null if this page is empty.'),
  })
  .meta({ id: 'ScheduleRunPage' });
export type ScheduleRunPage = z.infer<typeof ScheduleRunPage>;

export const StartedRun = z.object({ turn_id: Id, chat_id: Id }).meta({ id: 'StartedRun' });
export type StartedRun = z.infer<typeof StartedRun>;

export const DeletedSchedule = z.object({ deleted: z.literal(true), id: Id }).meta({ id: 'DeletedSchedule' });
export type DeletedSchedule = z.infer<typeof DeletedSchedule>;
