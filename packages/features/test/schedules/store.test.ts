/** Tests schedules and their runs over the database of the run. */
import type { RunClaim } from '@chat-kernel/kernel';
import { describe, expect, test } from 'vitest';
import { NOW, newChat, newMessage, newTurn, nextId } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import { STORE_HOOKS } from '../../src/index.ts';
import type { ScheduleRecord } from '../../src/schedules/records.ts';
import { ScheduleStore } from '../../src/schedules/store.ts';
import { newSchedule } from './new-schedule.ts';

describe('Schedules', scheduleSuite);

const DUE = '2026-01-02T09:00:00.000Z';
const NEXT = '2026-01-03T09:00:00.000Z';

function scheduleSuite(): void {
  const stage = new Stage({ hooks: STORE_HOOKS });
  const store = () => new ScheduleStore(stage.store.transactions);
  const made = async (changes: Partial<ScheduleRecord> = {}): Promise<ScheduleRecord> => {
    const schedule = newSchedule(changes);
    await store().create(schedule);
    return schedule;
  };
  /** Creates a turn of a new chat for the run. */
  const claim = async (run: RunClaim) => {
    const chat = newChat();
    const message = newMessage(chat.id);
    const turn = newTurn(message);
    await stage.store.turns.create(turn, message, { place: true, run: { ...run, chat } });
    return { chat, turn };
  };

  test('reads a schedule back unchanged, also after a restart, and changes it [SCHED-1]', async () => {
    const hard = await made({ text: 'a\0b\ud800 "x"', title: 'ä' });
    const other = await made({ created_at: '2026-01-03T00:00:00.000Z', next_at: null });
    await stage.reopen();
    const schedules = store();
    expect(await schedules.list()).toEqual([
      { ...hard, last: null },
      { ...other, last: null },
    ]);
    expect(await schedules.count()).toBe(2);
    expect(await schedules.nextAt(NOW)).toBe(DUE);
    expect(await schedules.listDue(NOW, 10)).toEqual([]);
    expect(await schedules.listDue(DUE, 10)).toEqual([hard]);
    expect(await schedules.update(hard.id, { text: 'New' })).toEqual({ ...hard, text: 'New' });
    expect(await schedules.update(nextId(), { text: 'New' })).toBeUndefined();
    expect(await schedules.delete(hard.id)).toBe(true);
    expect(await schedules.delete(hard.id)).toBe(false);
    expect(await schedules.nextAt(NOW)).toBeNull();
  });

  test('Leaves out a damaged schedule, and does not wait for its time [SCHED-1]', async () => {
    const damaged = await made();
    const other = await made({ next_at: NEXT });
    const { transactions } = stage.store;
    await transactions.write(db =>
      db.updateTable('schedules').set({ record: '{"a' }).where('id', '=', damaged.id).execute(),
    );
    const schedules = store();
    expect(await schedules.list()).toEqual([{ ...other, last: null }]);
    expect(await schedules.listDue(DUE, 10)).toEqual([]);
    expect(await schedules.nextAt(DUE)).toBe(NEXT);
    expect(await schedules.update(damaged.id, { text: 'New' })).toBeUndefined();
  });

  test('claims a due time once, with its turn and its chat, or stores nothing [SCHED-2]', async () => {
    const { id } = await made();
    const run = { schedule_id: id, due_at: DUE, next_at: NEXT };
    const claims = await Promise.allSettled([claim(run), claim(run), claim(run)]);
    const won = claims.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    const [{ chat, turn }] = won as [(typeof won)[0]];
    expect((await stage.store.chats.list({ limit: 10 })).map(each => each.id)).toEqual([chat.id]);
    expect((await stage.store.turns.listUnfinished()).map(each => each.id)).toEqual([turn.id]);
    const row = { schedule_id: id, due_at: DUE, chat_id: chat.id, turn_id: turn.id };
    const running = { ...row, started_at: turn.started_at, ended_at: null, status: 'running' };
    expect(await store().run(id, DUE)).toEqual(running);
    expect(await store().get(id)).toMatchObject({
      next_at: NEXT,
      last: { due_at: DUE, status: 'running', turn_id: turn.id },
    });
    // The run shows the outcome of its turn, even after the chat was deleted.
    const error = { code: 'upstream_error', message: 'no', retryable: true } as const;
    const ended = { status: 'failed', ended_at: NEXT, error } as const;
    await stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: ended });
    const failed = { ...running, ...ended };
    expect(await store().listRuns(id, { limit: 10 })).toEqual([failed]);
    await stage.store.chats.delete(chat.id);
    expect(await store().listRuns(id, { limit: 10 })).toEqual([failed]);
    await expect(claim({ schedule_id: nextId(), due_at: DUE })).rejects.toThrow();
  });

  test('records due times without a turn once, and only for the expected due time [SCHED-2]', async () => {
    const { id } = await made();
    const missed = (due_at: string) => ({ due_at, status: 'missed', error: null }) as const;
    const settled = { schedule_id: id, due_at: DUE, next_at: NEXT, runs: [missed(DUE)], ended_at: NOW };
    expect(await store().settle(settled)).toBe(true);
    expect(await store().settle(settled)).toBe(false);
    const again = {
      ...settled,
      due_at: NEXT,
      next_at: null,
      runs: [missed(DUE), missed(NEXT)],
      ended_at: NEXT,
    };
    expect(await store().settle(again)).toBe(true);
    const rows = await store().listRuns(id, { limit: 10 });
    expect(rows.map(({ due_at, status, ended_at }) => [due_at, status, ended_at])).toEqual([
      [NEXT, 'missed', NEXT],
      [DUE, 'missed', NOW],
    ]);
    expect(await store().listRuns(id, { limit: 1, before: NEXT })).toEqual([rows[1]]);
    expect(await store().delete(id)).toBe(true);
    expect(await store().run(id, DUE)).toBeUndefined();
  });

  test('keeps the newest of very many runs [SCHED-2]', async () => {
    const { id } = await made();
    const dueAt = (n: number) => new Date(Date.parse(DUE) + n * 60_000).toISOString();
    const [chunk, chunks, kept] = [200, 51, 10_000];
    for (let n = 0; n < chunks * chunk; n += chunk) {
      const runs = Array.from(
        { length: chunk },
        (_, index) => ({ due_at: dueAt(n + index), status: 'missed', error: null }) as const,
      );
      const settled = { schedule_id: id, due_at: dueAt(n), next_at: dueAt(n + chunk), runs, ended_at: NOW };
      expect(await store().settle(settled)).toBe(true);
    }
    // A start cleans up.
    await stage.reopen();
    const left = await store().listRuns(id, { limit: 2 * kept });
    expect(left).toHaveLength(kept);
    expect(left.at(-1)?.due_at).toBe(dueAt(chunks * chunk - kept));
  });

  test('disables the schedules of a deleted chat, with the reason [SCHED-1]', async () => {
    const chat = newChat();
    await stage.store.chats.create(chat);
    const own = await made({ chat_id: chat.id });
    const other = await made();
    await stage.store.chats.delete(chat.id);
    expect(await store().get(own.id)).toEqual({
      ...own,
      enabled: false,
      next_at: null,
      problem: 'Its chat was deleted.',
      last: null,
    });
    expect(await store().get(other.id)).toEqual({ ...other, last: null });
  });
}
