/** Creates a schedule for tests. */
import { NOW, nextId } from '../../../storage/test/records.ts';
import type { ScheduleRecord } from '../../src/schedules/records.ts';

export const newSchedule = (changes: Partial<ScheduleRecord> = {}): ScheduleRecord => ({
  id: nextId(),
  text: 'Good morning.',
  cron: '0 9 * * *',
  at: null,
  timezone: 'UTC',
  chat_id: null,
  title: null,
  model: null,
  effort: null,
  catch_up: 'none',
  max_cost_usd: null,
  grants: [],
  enabled: true,
  problem: null,
  created_at: NOW,
  next_at: '2026-01-02T09:00:00.000Z',
  ...changes,
});
