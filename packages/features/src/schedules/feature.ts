/** Defines schedules: messages that the kernel sends automatically (SCHED-1 to SCHED-3). */
import { defineFeature } from '../feature.ts';
import { routes } from './routes.ts';
import { forgetOldRuns } from './runs.ts';
import { Scheduler } from './scheduler.ts';
import { Schedules } from './schedules.ts';
import { leaveChat, ScheduleStore } from './store.ts';
import { scheduleTool } from './tool.ts';

export const schedules = defineFeature({
  name: 'schedules',
  stores: ({ transactions }) => ({ schedules: new ScheduleStore(transactions) }),
  storeHooks: { chatDeleting: leaveChat, upkeep: db => forgetOldRuns(db) },
  open(host, { schedules: store }) {
    const schedules = new Schedules(host, store);
    const scheduler = new Scheduler(host, store, schedules);
    const { question_timeout_secs } = host.settings.requests;
    return {
      service: { schedules, scheduler, question_timeout_secs },
      start: () => scheduler.begin(),
      drain: () => scheduler.stop(),
      chatDeleted: id => schedules.chatDeleted(id),
      describeRun: run => schedules.describeRun(run),
    };
  },
  tools: service => [scheduleTool(service)],
  groups: [{ name: 'schedules', about: 'sends messages on a schedule' }],
  routes,
  documentedAfter: 'wake',
});
