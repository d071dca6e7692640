/** Serves schedules: messages that the kernel sends automatically (SCHED-1, SCHED-2). */
import { Limit } from '@chat-kernel/http';
import {
  CreateSchedule,
  DeletedSchedule,
  Id,
  PatchSchedule,
  Schedule,
  ScheduleList,
  ScheduleRunPage,
  StartedRun,
  TimeInput,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { ScheduleService } from './service.ts';

const defineRoute = featureRoutes<ScheduleService>({
  name: 'schedules',
  description: 'Messages that are sent automatically at due times.',
});
const ScheduleParams = z.object({ id: Id });

export const routes = [
  defineRoute('POST /v1/schedules', {
    operationId: 'createSchedule',
    summary: 'Create a schedule',
    description:
      'Takes a cron expression, or one time in `at`. The `errors` of a 400 locate the mistake. Without `timezone`, the time zone ' +
      'of the kernel applies.',
    request: { body: CreateSchedule },
    responses: { 201: Schedule },
    errors: ['invalid_value', 'unknown_model'],
    handler: ({ service, body }) => service.schedules.create(body),
  }),
  defineRoute('GET /v1/schedules', {
    operationId: 'listSchedules',
    summary: 'List the schedules',
    description: 'Each schedule has its next time and its latest run.',
    responses: { 200: ScheduleList },
    handler: ({ service }) => service.schedules.list(),
  }),
  defineRoute('GET /v1/schedules/:id', {
    operationId: 'getSchedule',
    summary: 'Get a schedule',
    description: 'Returns the schedule with its next time and its latest run.',
    request: { params: ScheduleParams },
    responses: { 200: Schedule },
    handler: ({ service, params }) => service.schedules.get(params.id),
  }),
  defineRoute('PATCH /v1/schedules/:id', {
    operationId: 'patchSchedule',
    summary: 'Change, enable or disable a schedule',
    description: 'New times apply from now on. A run in progress does not change.',
    request: { params: ScheduleParams, body: PatchSchedule },
    responses: { 200: Schedule },
    errors: ['invalid_value', 'unknown_model'],
    handler: ({ service, params, body }) => service.schedules.patch(params.id, body),
  }),
  defineRoute('DELETE /v1/schedules/:id', {
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule and its list of runs',
    description: 'Runs in progress continue, and the chats of all runs stay.',
    request: { params: ScheduleParams },
    responses: { 200: DeletedSchedule },
    handler: ({ service, params }) => service.schedules.delete(params.id),
  }),
  defineRoute('POST /v1/schedules/:id/run', {
    operationId: 'runSchedule',
    summary: 'Run a schedule now',
    description: 'Works for disabled schedules, too. The next time does not change.',
    request: { params: ScheduleParams },
    responses: { 200: StartedRun },
    errors: ['unknown_model', 'shutting_down', 'kernel_away'],
    chatOf: ({ service, params }) => service.schedules.chatOfRun(params.id),
    handler: ({ service, params }) => service.scheduler.run(params.id),
  }),
  defineRoute('GET /v1/schedules/:id/runs', {
    operationId: 'listScheduleRuns',
    summary: 'List the runs of a schedule',
    description:
      'One entry for each due time, including missed ones, and for each manual run. The last 10,000 are kept.',
    request: {
      params: ScheduleParams,
      query: z.object({
        limit: Limit,
        before: TimeInput.optional().describe('A due time. Only earlier runs are returned.'),
      }),
    },
    responses: { 200: ScheduleRunPage },
    handler: ({ service, params, query }) => service.schedules.runs(params.id, query),
  }),
];
