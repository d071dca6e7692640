/** Checks that a fleet lost nothing that it acknowledged and ran nothing twice, whatever failed (FLEET-3). */
import { existsSync, readFileSync } from 'node:fs';
import type { Item, ScheduleRun } from '@chat-kernel/protocol';
import { expect } from 'vitest';
import type { FleetKernel } from '../harness/fleet.ts';
import type { FleetLoad } from './fleet-load.ts';

/** The errors with which a turn may fail whose kernel or database became unavailable. */
const FAILURES = ['kernel_restarted', 'storage_unavailable'];

interface Proof {
  /** Commands that ran. */
  marks: number;
  /** Milliseconds between the due time of each schedule and the start of its turn. */
  late: number[];
}

/**
 * Called once all chats are idle and the model answers only "ok".
 * @param marksFile to which each command has added a line
 */
export async function nothingLost(load: FleetLoad, marksFile: string): Promise<Proof> {
  const kernel = load.kernel();
  const late = await schedulesOf(kernel, load);
  for (const chat of load.chats) {
    const items = await everyItem(kernel, chat);
    expect(items.filter(({ status }) => status === 'running')).toEqual([]);
    const texts = items.flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
    // Also texts without acknowledgment.
    expect(texts).toEqual([...new Set(texts)]);
    for (const { text, stream } of load.sent.filter(message => message.chat === chat)) {
      // Stored once, regardless of the kernel that received it and the number of attempts.
      expect(items.filter(item => item.kind === 'user_message' && item.text === text)).toMatchObject([
        { message_id: stream.messageId, turn_id: stream.turnId },
      ]);
      const turn = (await kernel.api.get(`/v1/chats/${chat}/turns/${stream.turnId}`)).body;
      expect(['completed', 'failed']).toContain(turn.status);
      if (turn.status === 'failed') expect(FAILURES).toContain(turn.error.code);
      const told = stream.events.filter(({ type }) => type === 'done');
      expect(told.length).toBeLessThanOrEqual(1);
      expect(told.every(done => 'status' in done && done.status === turn.status)).toBe(true);
    }
    const after = await load.kernel().api.say(chat, 'still there?');
    expect(after.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  }
  const marks = existsSync(marksFile) ? readFileSync(marksFile, 'utf8').trim().split('\n') : [];
  expect(marks).toEqual([...new Set(marks)]);
  expect([...load.answered].filter(([, count]) => count > 1)).toEqual([]);
  return { marks: marks.length, late };
}

/** Checks that each acknowledged schedule has run once. */
async function schedulesOf({ api }: FleetKernel, load: FleetLoad): Promise<number[]> {
  const late: number[] = [];
  for (const { id, chat, text } of load.planned) {
    const runs: ScheduleRun[] = (await api.get(`/v1/schedules/${id}/runs`)).body.runs;
    const ended = expect.stringMatching(/^(completed|failed)$/);
    expect(runs, `${text} of ${chat}`).toMatchObject([{ status: ended }]);
    const [{ due_at, started_at }] = runs as [ScheduleRun];
    if (started_at !== null) late.push(Date.parse(started_at) - Date.parse(due_at));
  }
  return late;
}

async function everyItem(kernel: FleetKernel, chat: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const { body } = await kernel.api.get(`/v1/chats/${chat}/items?limit=500${before}`);
    if (body.items.length === 0) return items;
    items.unshift(...body.items);
    before = `&before=${body.next_before}`;
  }
}
