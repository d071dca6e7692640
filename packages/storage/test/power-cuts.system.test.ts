/**
 * Tests what a power cut, a failed sync and a slow disk do to SQLite: acknowledged writes survive, and nothing is
 * acknowledged that may not. POWER_CUTS sets the number of cuts, and SEED repeats the choices of a run.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@chat-kernel/kernel';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { seed } from '../../../test/chaos/dice.ts';
import { PATIENT } from '../../../test/harness/patient.ts';
import { openStore } from '../src/index.ts';
import {
  type Acknowledged,
  compileShim,
  Disk,
  missingCompiler,
  type PowerLine,
  randomOf,
  type Writing,
} from './disk.ts';

const CUTS = Number(process.env.POWER_CUTS ?? 25);
/** A new disk follows after these: first starts are cut as well, and databases stay small. */
const CUTS_PER_DISK = 3;
/** Disks that are tested at once. */
const AT_ONCE = 3;
/** The time from the start of a store until its power is cut, at most. */
const LONGEST_LIFE_MS = 2500;
const SLOWNESS = Math.max(1, Number(process.env.TEST_SLOWNESS ?? 1));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const why = missingCompiler();
const folder = mkdtempSync(join(tmpdir(), 'chat-kernel-shim-'));
const shim = why ? '' : compileShim(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const writers: Writing[] = [];
const disks: Disk[] = [];
afterEach(async () => {
  await Promise.all(writers.splice(0).map(writer => writer.kill()));
  for (const disk of disks.splice(0)) disk.remove();
});

function newDisk(): Disk {
  const disk = new Disk(shim);
  disks.push(disk);
  return disk;
}

async function startWriter(disk: Disk, delayMs: number): Promise<Writing> {
  const writer = disk.startWriter(delayMs);
  writers.push(writer);
  await vi.waitFor(() => expect(writer.lines).not.toEqual([]), { ...PATIENT, interval: 5 });
  return writer;
}

describe.skipIf(why)('SQLite on a disk', () => {
  test(`loses nothing acknowledged over ${CUTS} power cuts (seed ${seed})`, {
    timeout: (60_000 + CUTS * 2000) * SLOWNESS,
  }, async () => {
    let begun = 0;
    let acknowledged = 0;
    const cutDisks = async () => {
      while (begun < CUTS) {
        const disk = newDisk();
        const kept: Acknowledged[] = [];
        for (let cut = 0; cut < CUTS_PER_DISK && begun < CUTS; cut++) {
          const number = begun++;
          const random = randomOf(seed + number);
          const writer = await startWriter(disk, random() * 5);
          // Most cuts are early: starts and recoveries are cut as well.
          await sleep(random() ** 2 * LONGEST_LIFE_MS);
          expect(writer.exitCode, `the store opened before cut ${number}`).toBeNull();
          await writer.kill();
          disk.cut(number % 2 === 0 ? random : undefined);
          const written = writer.acknowledged;
          kept.push(...written);
          acknowledged += written.length;
          expect((await lost(disk, kept)).slice(0, 5), `lost in cut ${number} of seed ${seed}`).toEqual([]);
        }
        disk.remove();
        disks.splice(disks.indexOf(disk), 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, cutDisks));
    process.stdout.write(`${CUTS} power cuts after ${acknowledged} acknowledged writes (seed ${seed})\n`);
    expect(acknowledged).toBeGreaterThan(CUTS);
  });

  test('acknowledges nothing while syncs fail, and keeps what it acknowledged', PATIENT, async () => {
    const disk = newDisk();
    const kept: Acknowledged[] = [];
    for (let round = 0; round < 4; round++) {
      const writer = await startWriter(disk, 1);
      await vi.waitFor(() => expect(writer.acknowledged.length).toBeGreaterThan(50), PATIENT);
      disk.fail(true);
      // A sync that is running has not seen it yet.
      await sleep(300 * SLOWNESS);
      const from = Date.now();
      await sleep(700);
      const to = Date.now();
      disk.fail(false);
      // The power is cut before a checkpoint repairs what is lost of the log. A kernel may also stay unavailable.
      for (let waited = 0; waited < 500 && !writer.lines.some(isAfter(to)); waited += 10) await sleep(10);
      await writer.kill();
      const { lines } = writer;
      const between = lines.filter(({ at }) => at! > from && at! < to);
      expect(between.filter(({ acknowledged }) => acknowledged)).toEqual([]);
      expect(between).not.toEqual([]);
      for (const { rejected } of lines) expect(rejected).toBeOneOf([undefined, 'storage_unavailable']);
      disk.cut();
      kept.push(...writer.acknowledged);
      expect((await lost(disk, kept)).slice(0, 5)).toEqual([]);
    }
  });

  test('never waits for the disk in the event loop', PATIENT, async () => {
    const disk = newDisk();
    const writer = await startWriter(disk, 20);
    const turns = (count: number) => {
      const ended = () => writer.acknowledged.filter(({ is_last }) => is_last).length;
      return vi.waitFor(() => expect(ended()).toBeGreaterThanOrEqual(count), PATIENT);
    };
    await turns(1);
    // The store was opened in the main thread.
    const { waits } = disk;
    expect(waits).toBeGreaterThan(0);
    await turns(200);
    expect(disk.waits).toBe(waits);
  });
});

const isAfter =
  (time: number) =>
  ({ acknowledged, at }: PowerLine): boolean =>
    acknowledged !== undefined && at! > time;

/** Opens the store after a cut, and returns the acknowledged writes that it does not have completely. */
async function lost(disk: Disk, acknowledged: readonly Acknowledged[]): Promise<unknown[]> {
  const data_dir = disk.copy();
  const store = await openStore({ data_dir, url: null, log: quiet, clock: systemClock });
  const gone: unknown[] = [];
  try {
    for (const write of acknowledged) {
      const { chat, turn, message, hash, is_last } = write;
      if (turn === undefined || message === undefined) {
        if (!(await store.chats.get(chat))) gone.push(write);
        continue;
      }
      const found = await store.messages.get(chat, message);
      const block = found?.content[0];
      const text = block?.type === 'text' ? block.text : '';
      const status = (await store.turns.get(chat, turn))?.status;
      const isComplete = createHash('sha256').update(text).digest('base64') === hash;
      if (!isComplete || (is_last ? status !== 'completed' : status === undefined)) gone.push(write);
    }
    const { messages, turns } = await store.chats.count();
    // A turn has both messages, or is running and has only its question.
    if (messages !== turns.running + 2 * turns.completed) gone.push({ messages, turns });
  } finally {
    await store.close();
  }
  const database = new DatabaseSync(join(data_dir, 'chat-kernel.db'));
  const damage = database.prepare('pragma integrity_check').all();
  database.close();
  return [...gone, ...damage.filter(({ integrity_check }) => integrity_check !== 'ok')];
}
