/** Schedules and their runs, over any database. */
import type { RunClaim, ScheduleRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, newChat, newMessage, newTurn, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

const DUE = '2026-01-02T09:00:00.000Z';
const NEXT = '2026-01-03T09:00:00.000Z';

export function scheduleSuite(stage: Stage): void {
  const made = async (changes: Partial<ScheduleRecord> = {}): Promise<ScheduleRecord> => {
    const schedule = newSchedule(changes);
    await stage.store.schedules.create(schedule);
    return schedule;
  };
  /** A turn of a new chat that is the run. */
  const claim = async (run: RunClaim) => {
    const chat = newChat();
    const message = newMessage(chat.id);
    const turn = newTurn(message);
    await stage.store.turns.create(turn, message, { place: true, run: { ...run, chat } });
    return { chat, turn };
  };

  test('A schedule is read back as it was given, also after a restart, and changed [SCHED-1]', async () => {
    const hard = await made({ text: 'a\0b\ud800 "x"', title: 'ä' });
    const other = await made({ created_at: '2026-01-03T00:00:00.000Z', next_at: null });
    await stage.reopen();
    const { schedules } = stage.store;
    expect(await schedules.list()).toEqual([
      { ...hard, last: null },
      { ...other, last: null },
    ]);
    expect(await schedules.count()).toBe(2);
    expect(await schedules.nextAt()).toBe(DUE);
    expect(await schedules.listDue(NOW, 10)).toEqual([]);
    expect(await schedules.listDue(DUE, 10)).toEqual([hard]);
    expect(await schedules.update(hard.id, { text: 'New' })).toEqual({ ...hard, text: 'New' });
    expect(await schedules.update(nextId(), { text: 'New' })).toBeUndefined();
    expect(await schedules.delete(hard.id)).toBe(true);
    expect(await schedules.delete(hard.id)).toBe(false);
    expect(await schedules.nextAt()).toBeNull();
  });

  test('A time is claimed once, with its turn and its chat, or nothing of it is stored [SCHED-2]', async () => {
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
    expect(await stage.store.schedules.run(id, DUE)).toEqual(running);
    expect(await stage.store.schedules.get(id)).toMatchObject({
      next_at: NEXT,
      last: { due_at: DUE, status: 'running', turn_id: turn.id },
    });
    // The turn says how the run is, and its chat takes that along.
    const error = { code: 'upstream_error', message: 'no', retryable: true } as const;
    const ended = { status: 'failed', ended_at: NEXT, error } as const;
    await stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: ended });
    const failed = { ...running, ...ended };
    expect(await stage.store.schedules.listRuns(id, { limit: 10 })).toEqual([failed]);
    await stage.store.chats.delete(chat.id);
    expect(await stage.store.schedules.listRuns(id, { limit: 10 })).toEqual([failed]);
    await expect(claim({ schedule_id: nextId(), due_at: DUE })).rejects.toThrow();
  });

  test('Times that become no turn are written once, and only where they are awaited [SCHED-2]', async () => {
    const { id } = await made();
    const missed = (due_at: string) => ({ due_at, status: 'missed', error: null }) as const;
    const settled = { schedule_id: id, due_at: DUE, next_at: NEXT, runs: [missed(DUE)], ended_at: NOW };
    expect(await stage.store.schedules.settle(settled)).toBe(true);
    expect(await stage.store.schedules.settle(settled)).toBe(false);
    const again = {
      ...settled,
      due_at: NEXT,
      next_at: null,
      runs: [missed(DUE), missed(NEXT)],
      ended_at: NEXT,
    };
    expect(await stage.store.schedules.settle(again)).toBe(true);
    const rows = await stage.store.schedules.listRuns(id, { limit: 10 });
    expect(rows.map(({ due_at, status, ended_at }) => [due_at, status, ended_at])).toEqual([
      [NEXT, 'missed', NEXT],
      [DUE, 'missed', NOW],
    ]);
    expect(await stage.store.schedules.listRuns(id, { limit: 1, before: NEXT })).toEqual([rows[1]]);
    expect(await stage.store.schedules.delete(id)).toBe(true);
    expect(await stage.store.schedules.run(id, DUE)).toBeUndefined();
  });

  test('Of very many runs the newest ones are kept [SCHED-2]', async () => {
    const { id } = await made();
    const dueAt = (n: number) => new Date(Date.parse(DUE) + n * 60_000).toISOString();
    const [chunk, chunks, kept] = [200, 51, 10_000];
    for (let n = 0; n < chunks * chunk; n += chunk) {
      const runs = Array.from(
        { length: chunk },
        (_, index) => ({ due_at: dueAt(n + index), status: 'missed', error: null }) as const,
      );
      const settled = { schedule_id: id, due_at: dueAt(n), next_at: dueAt(n + chunk), runs, ended_at: NOW };
      expect(await stage.store.schedules.settle(settled)).toBe(true);
    }
    // A start tidies up.
    await stage.reopen();
    const left = await stage.store.schedules.listRuns(id, { limit: 2 * kept });
    expect(left).toHaveLength(kept);
    expect(left.at(-1)?.due_at).toBe(dueAt(chunks * chunk - kept));
  });

  test('A chat that is deleted disables its schedules, and says why [SCHED-1]', async () => {
    const chat = newChat();
    await stage.store.chats.create(chat);
    const own = await made({ chat_id: chat.id });
    const other = await made();
    await stage.store.chats.delete(chat.id);
    expect(await stage.store.schedules.get(own.id)).toEqual({
      ...own,
      enabled: false,
      next_at: null,
      problem: 'Its chat was deleted.',
      last: null,
    });
    expect(await stage.store.schedules.get(other.id)).toEqual({ ...other, last: null });
  });
}

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
  enabled: true,
  problem: null,
  created_at: NOW,
  next_at: DUE,
  ...changes,
});
