/** Schedules: messages that come by themselves (SCHED-1, SCHED-2). */
import {
  CreateSchedule,
  DeletedSchedule,
  Id,
  PatchSchedule,
  Schedule,
  ScheduleList,
  ScheduleRunPage,
  StartedRun,
  Timestamp,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { Limit } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = {
  name: 'schedules',
  description: 'Messages that come by themselves, when they are due.',
};
const ScheduleParams = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/schedules',
    operationId: 'createSchedule',
    summary: 'Make a schedule',
    description:
      'Takes a cron line, or one time in `at`. `errors` of a 400 says where the mistake is. Without `timezone` the zone ' +
      'of the kernel counts.',
    tag,
    request: { body: CreateSchedule },
    responses: { 201: Schedule },
    errors: ['invalid_value', 'unknown_model'],
    handler: ({ kernel, body }) => kernel.schedules.create(body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/schedules',
    operationId: 'listSchedules',
    summary: 'List the schedules',
    description: 'Each with its next time and its last run.',
    tag,
    responses: { 200: ScheduleList },
    handler: ({ kernel }) => kernel.schedules.list(),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/schedules/:id',
    operationId: 'getSchedule',
    summary: 'Read a schedule',
    description: 'With its next time and its last run.',
    tag,
    request: { params: ScheduleParams },
    responses: { 200: Schedule },
    handler: ({ kernel, params }) => kernel.schedules.get(params.id),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/schedules/:id',
    operationId: 'patchSchedule',
    summary: 'Change a schedule, or switch it on or off',
    description: 'Other times count from now on. A run that is under way is what it was.',
    tag,
    request: { params: ScheduleParams, body: PatchSchedule },
    responses: { 200: Schedule },
    errors: ['invalid_value', 'unknown_model'],
    handler: ({ kernel, params, body }) => kernel.schedules.patch(params.id, body),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/schedules/:id',
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule and its list of runs',
    description: 'Runs that are under way go on, and the chats of all runs stay.',
    tag,
    request: { params: ScheduleParams },
    responses: { 200: DeletedSchedule },
    handler: ({ kernel, params }) => kernel.schedules.delete(params.id),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/schedules/:id/run',
    operationId: 'runSchedule',
    summary: 'Run a schedule now',
    description: 'Also where it is disabled. Its next time stays as it is.',
    tag,
    request: { params: ScheduleParams },
    responses: { 200: StartedRun },
    errors: ['unknown_model', 'shutting_down', 'kernel_away'],
    handler: ({ kernel, params }) => kernel.scheduler.run(params.id),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/schedules/:id/runs',
    operationId: 'listScheduleRuns',
    summary: 'List the runs of a schedule',
    description:
      'One for each time that was due, the missed ones too, and one for each run by hand. The last 10,000 are kept.',
    tag,
    request: {
      params: ScheduleParams,
      query: z.object({
        limit: Limit,
        before: Timestamp.optional().describe('A due time: only runs that were due earlier.'),
      }),
    },
    responses: { 200: ScheduleRunPage },
    handler: ({ kernel, params, query }) =>
      kernel.schedules.runs(params.id, {
        limit: query.limit,
        ...(query.before !== undefined && { before: query.before }),
      }),
  }),
];
