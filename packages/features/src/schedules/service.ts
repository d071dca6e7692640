/** Defines the service of the feature, which its routes and its tool call. */
import type { Scheduler } from './scheduler.ts';
import type { Schedules } from './schedules.ts';

export interface ScheduleService {
  schedules: Schedules;
  scheduler: Scheduler;
  /** How long a question of the tool waits for its answer. */
  question_timeout_secs: number;
}
