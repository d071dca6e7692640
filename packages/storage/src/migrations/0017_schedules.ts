/** Version 17: schedules, and a row for each of their due times. */
import type { Migration } from '../database/database.ts';

export const schedules: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('schedules')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('next_at', keyType)
    // The chat may be deleted before its schedule.
    .addColumn('chat_id', keyType)
    .addColumn('record', 'text', column => column.notNull())
    .execute();
  await schema.createIndex('schedules_by_next').on('schedules').column('next_at').execute();
  await schema.createIndex('schedules_by_chat').on('schedules').column('chat_id').execute();

  await schema
    .createTable('schedule_runs')
    .addColumn('schedule_id', keyType, column =>
      column.notNull().references('schedules.id').onDelete('cascade'),
    )
    .addColumn('due_at', keyType, column => column.notNull())
    .addColumn('chat_id', keyType)
    .addColumn('turn_id', keyType)
    .addColumn('status', 'text')
    .addColumn('started_at', keyType)
    .addColumn('ended_at', keyType)
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('schedule_runs_by_due', ['schedule_id', 'due_at'])
    .execute();
  await schema.createIndex('schedule_runs_by_turn').on('schedule_runs').column('turn_id').execute();
  await schema.createIndex('schedule_runs_by_chat').on('schedule_runs').column('chat_id').execute();
};
