/**
 * Tests several kernels on one Postgres: which are alive, which owns a chat, and that a former owner writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FleetStore, HeldChat, ToolAdvertisement } from '@chat-kernel/kernel';
import { signsOnlyAddress, systemClock } from '@chat-kernel/kernel';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PATIENT } from '../../../test/harness/patient.ts';
import { atScale } from '../../../test/harness/scale.ts';
import { MemoryStore } from '../../features/src/memory/store.ts';
import { ScheduleStore } from '../../features/src/schedules/store.ts';
import { newSchedule } from '../../features/test/schedules/new-schedule.ts';
import { openStore, type SqlStore } from '../src/index.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { newChat, newMessage, newTurn, nextId } from './records.ts';

const postgres = await startPostgres().catch((error: unknown): undefined => {
  if (process.env.REQUIRE_ALL) throw error;
  process.stderr.write(`The tests of several kernels are skipped: ${error}\n`);
});
afterAll(() => postgres?.stop());

type SharedStore = SqlStore & { fleet: NonNullable<SqlStore['fleet']> };
const memoryOf = ({ transactions }: SqlStore) => new MemoryStore(transactions);
const schedulesOf = ({ transactions }: SqlStore) => new ScheduleStore(transactions);

const held = (chat_id: string, epoch: number): HeldChat => ({ chat_id, epoch });
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe.skipIf(!postgres)('several kernels on one Postgres', () => {
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    url = await (postgres as Postgres).createDatabase();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** Opens the store of a kernel that shares its database, or of one that does not. */
  async function open(name?: string): Promise<SharedStore> {
    const data_dir = await mkdtemp(join(tmpdir(), 'chat-kernel-storage-'));
    closing.push(() => rm(data_dir, { recursive: true }));
    const kernel = name === undefined ? undefined : { url: `http://${name}.test`, name, version: '1' };
    const store = await openStore({ data_dir, url, kernel, log: quiet, clock: systemClock });
    closing.push(() => store.close());
    return store as SharedStore;
  }

  async function ask(sql: string, values: unknown[] = []): Promise<unknown[]> {
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    try {
      return (await session.query(sql, values)).rows;
    } finally {
      await session.end();
    }
  }

  /** Looks for dead kernels; probed kernels do not respond. */
  const bury = ({ fleet }: { fleet: FleetStore }, isAlive = false) => fleet.bury(async () => isAlive);
  const strikeOut = (fleet: FleetStore) => ask('delete from kernels where id = $1', [fleet.id]);

  test('lists kernels that share it, and rejects one that does not', async () => {
    const [a, b] = [await open('a'), await open('b')];
    expect(await b.fleet.list()).toMatchObject([
      { id: a.fleet.id, url: 'http://a.test', name: 'a', version: '1', turns: 0 },
      { id: b.fleet.id, url: 'http://b.test', name: 'b', version: '1', turns: 0 },
    ]);
    expect(b.fleet.secret).toBe(a.fleet.secret);
    expect(b.fleet.logId).toBe(a.fleet.logId);
    await expect(open()).rejects.toThrow(/is in use: another kernel uses it/);
  });

  test('shares published tools with other kernels, the oldest first, until their kernel leaves', async () => {
    const [a, b, c] = [await open('a'), await open('b'), await open('c')];
    const toolsOf = (name: string) => ({
      group: { name, about: `about ${name}` },
      tools: [{ name: `${name}_echo` } as ToolAdvertisement],
    });
    await b.fleet.bringTools([toolsOf('radio'), toolsOf('clock')]);
    await a.fleet.bringTools([toolsOf('radio')]);
    const at = ({ fleet }: typeof a, name: string) => ({
      kernel: { id: fleet.id, name: fleet.name, url: `http://${fleet.name}.test` },
      ...toolsOf(name),
    });
    expect(await c.fleet.toolsBrought()).toEqual([at(a, 'radio'), at(b, 'clock'), at(b, 'radio')]);
    expect(await a.fleet.toolsBrought()).toEqual([at(b, 'clock'), at(b, 'radio')]);
    await b.fleet.bringTools([toolsOf('clock')]);
    expect(await a.fleet.toolsBrought()).toEqual([at(b, 'clock')]);
    await strikeOut(b.fleet);
    expect(await c.fleet.toolsBrought()).toEqual([at(a, 'radio')]);
    // A kernel that is considered dead publishes nothing until it is back.
    await expect(b.fleet.bringTools([toolsOf('clock')])).rejects.toThrow();
    await b.fleet.beat();
    await b.fleet.bringTools([toolsOf('clock')]);
    expect(await a.fleet.toolsBrought()).toEqual([at(b, 'clock')]);
  });

  test('shows by its id how a kernel signs, and knows the others while they are registered', async () => {
    const [a, b] = [await open('a'), await open('b')];
    expect(signsOnlyAddress(a.fleet.id)).toBe(false);
    expect(signsOnlyAddress(randomUUID())).toBe(true);
    await bury(b);
    expect([b.fleet.knows(a.fleet.id), b.fleet.knows(b.fleet.id)]).toEqual([true, false]);
    await a.fleet.leave();
    await bury(b);
    expect(b.fleet.knows(a.fleet.id)).toBe(false);
  });

  test('treats a kernel without connections as dead immediately, and a silent one after eight seconds', async () => {
    const [a, b] = [await open('a'), await open('b')];
    expect(await bury(b)).toEqual([]);
    await a.close();
    expect(await bury(b)).toEqual([]);
    // After the grace period one check probes it, and a later one removes it, long before a free lock alone does.
    await expect.poll(() => bury(b), { timeout: 5000, interval: 100 }).toEqual([a.fleet.id]);
    const c = await open('c');
    expect(await bury(b)).toEqual([]);
    await ask('update kernels set seen_at = seen_at - 6000 where id = $1', [c.fleet.id]);
    expect(await bury(b)).toEqual([]);
    await ask('update kernels set seen_at = seen_at - 3000 where id = $1', [c.fleet.id]);
    expect(await bury(b)).toEqual([c.fleet.id]);
    expect(await c.fleet.beat()).toBe(false);
    expect(await c.fleet.beat()).toBe(true);
    expect((await b.fleet.list()).map(({ id }) => id)).toEqual([b.fleet.id, c.fleet.id]);
  });

  test('treats a kernel without connections as alive while it answers, until eight seconds of silence', async () => {
    const [a, b] = [await open('a'), await open('b')];
    expect(await bury(b, true)).toEqual([]);
    await a.close();
    for (let look = 0; look < 8; look++) {
      expect(await bury(b, true)).toEqual([]);
      await pause(100);
    }
    // It is probed again at intervals, and one failure is enough.
    await expect.poll(() => bury(b, false), { timeout: 2000, interval: 100 }).toEqual([a.fleet.id]);
    const c = await open('c');
    expect(await bury(b, true)).toEqual([]);
    await c.close();
    await ask('update kernels set seen_at = seen_at - 9000 where id = $1', [c.fleet.id]);
    expect(await bury(b, true)).toEqual([c.fleet.id]);
  });

  test('does not treat kernels as dead whose lock is lost, or whose server dropped all connections', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const looks = async () => {
      const gone: string[] = [];
      for (let look = 0; look < 10; look++) {
        // A kernel that does not hold its own lock does not check others.
        gone.push(...(await bury(b).catch(() => [])));
        await pause(50);
      }
      return gone;
    };
    expect(await looks()).toEqual([]);
    const ofA = `select pid from pg_locks join kernels on objid = boot where classid = ${0x6b65726e} and id = $1`;
    expect(await ask(`select pg_terminate_backend(pid) from (${ofA}) as own`, [a.fleet.id])).toHaveLength(1);
    expect(await looks()).toEqual([]);
    await ask(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    expect(await looks()).toEqual([]);
    await expect.poll(() => a.fleet.beat().catch(() => false), { timeout: 20_000 }).toBe(true);
    expect((await a.fleet.list()).map(({ id }) => id)).toEqual([a.fleet.id, b.fleet.id]);
  });

  test('does not treat a free lock of an older kernel without pool connections as immediate death', async () => {
    const b = await open('b');
    // Its number is one without a lock.
    await ask(
      `insert into kernels select 'older', -1, 'http://older.test', 'older', '1', since, seen_at from kernels`,
    );
    expect(await bury(b)).toEqual([]);
    await pause(300);
    expect(await bury(b)).toEqual([]);
    await expect.poll(() => bury(b), { timeout: 20_000 }).toEqual(['older']);
  });

  test('assigns a chat to its creator until that is dead, then to the first claimant', async () => {
    const [a, b, c] = [await open('a'), await open('b'), await open('c')];
    const chat = newChat();
    await a.chats.create(chat);
    expect(await b.fleet.take(chat.id)).toEqual({ other: { id: a.fleet.id, url: 'http://a.test' } });
    await strikeOut(a.fleet);
    expect(await a.fleet.take(chat.id)).toBeUndefined();
    const taken = await Promise.all([b.fleet.take(chat.id), c.fleet.take(chat.id)]);
    expect(taken.filter(owner => owner && owner.other === undefined)).toEqual([{ epoch: 2 }]);
    expect(await a.fleet.stillOwned([{ chat_id: chat.id, epoch: 1 }])).toEqual([]);
    expect(await b.fleet.take(nextId())).toBeUndefined();
  });

  test('assigns chats with open turns of a dead kernel once, for any number of claimants', async () => {
    const [a, b, c] = [await open('a'), await open('b'), await open('c')];
    const chats = Array.from({ length: 12 }, () => newChat());
    for (const chat of chats) {
      await a.chats.create(chat);
      const message = newMessage(chat.id, { turn_id: nextId() });
      await a.turns.create(newTurn(message, { status: 'running' }), message, {
        place: true,
        held: held(chat.id, 1),
      });
    }
    await a.chats.create(newChat());
    expect(await b.fleet.takeOrphans(8, [])).toEqual([]);
    await strikeOut(a.fleet);
    const takeAll = async ({ fleet }: { fleet: FleetStore }) => {
      const taken = [];
      for (let lot = await fleet.takeOrphans(3, []); lot.length > 0; lot = await fleet.takeOrphans(3, [])) {
        expect(lot.length).toBeLessThanOrEqual(3);
        taken.push(...lot);
      }
      return taken;
    };
    const taken = (await Promise.all([takeAll(b), takeAll(c)])).flat();
    expect(taken.map(({ chat_id }) => chat_id).sort()).toEqual(chats.map(({ id }) => id).sort());
    expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([2]));
  });

  test('[FLEET-2] rejects changes of a former owner to the chat and its history', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const chat = newChat();
    await a.chats.create(chat);
    const message = newMessage(chat.id, { turn_id: nextId() });
    await a.turns.create(newTurn(message, { status: 'completed' }), message, {
      place: true,
      held: held(chat.id, 1),
    });
    await strikeOut(a.fleet);
    expect(await b.fleet.take(chat.id)).toEqual({ epoch: 2 });
    const fenced = { code: 'fenced' };
    await expect(a.chats.update(held(chat.id, 1), { title: 'Mine' })).rejects.toMatchObject(fenced);
    await expect(a.messages.rewind(held(chat.id, 1), 1)).rejects.toMatchObject(fenced);
    const append = [newMessage(chat.id)];
    await expect(a.chats.write({ ...held(chat.id, 1), append })).rejects.toMatchObject(fenced);
    expect(await b.chats.get(chat.id)).toEqual(chat);
    expect(await b.messages.listFrom(chat.id, 1)).toHaveLength(1);
    expect((await b.chats.update(held(chat.id, 2), { title: 'Mine' }))?.title).toBe('Mine');
    expect(await b.messages.rewind(held(chat.id, 2), 1)).toMatchObject({ deleted: 1 });
  });

  test('[FLEET-2] rejects writes from before a kernel lost a chat and took it again', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const chat = newChat();
    await a.chats.create(chat);
    const before = held(chat.id, 1);
    await strikeOut(a.fleet);
    await b.fleet.take(chat.id);
    await b.fleet.release([{ chat_id: chat.id, epoch: 2 }]);
    await a.fleet.beat();
    expect(await a.fleet.take(chat.id)).toEqual({ epoch: 3 });
    const changes = { title: 'Mine' };
    await expect(a.chats.update(before, changes)).rejects.toMatchObject({ code: 'fenced' });
    expect(await a.chats.update(held(chat.id, 3), changes)).toMatchObject(changes);
  });

  test('[FLEET-2] rejects memory writes and due runs of a former owner', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const chat = newChat();
    await a.chats.create(chat);
    const schedule_id = nextId();
    const due_at = '2026-01-02T09:00:00.000Z';
    await schedulesOf(a).create(newSchedule({ id: schedule_id, chat_id: chat.id, next_at: due_at }));
    await strikeOut(a.fleet);
    expect(await b.fleet.take(chat.id)).toEqual({ epoch: 2 });
    const fenced = { code: 'fenced' };
    const entry = { id: nextId(), text: 'Tea.', created_at: due_at, updated_at: due_at, chat_id: chat.id };
    const change = { add: [{ ...entry, turn_id: null }] };
    const by = (epoch: number) => ({ writer: held(chat.id, epoch) });
    await expect(memoryOf(a).change({ ...change, ...by(1) })).rejects.toMatchObject(fenced);
    const message = newMessage(chat.id);
    const claim = { place: true, run: { schedule_id, due_at, next_at: null } };
    await expect(
      a.turns.create(newTurn(message), message, { ...claim, held: held(chat.id, 1) }),
    ).rejects.toMatchObject(fenced);
    expect(await memoryOf(b).list()).toEqual([]);
    expect(await schedulesOf(b).get(schedule_id)).toMatchObject({ next_at: due_at, last: null });
    await memoryOf(b).change({ ...change, ...by(2) });
    await b.turns.create(newTurn(message), message, { ...claim, held: held(chat.id, 2) });
    expect(await memoryOf(a).list()).toEqual(change.add);
    expect(await schedulesOf(a).get(schedule_id)).toMatchObject({ next_at: null, last: { due_at } });
  });

  test('assigns the chat of a due run to the kernel that started it', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const schedule_id = nextId();
    const due_at = '2026-01-02T09:00:00.000Z';
    await schedulesOf(a).create(newSchedule({ id: schedule_id, next_at: due_at }));
    const start = async (store: SharedStore) => {
      const chat = newChat();
      const message = newMessage(chat.id);
      const run = { schedule_id, due_at, next_at: null, chat, owner: store.fleet.id };
      await store.turns.create(newTurn(message), message, { place: true, run, held: held(chat.id, 1) });
      return { chat, owner: store.fleet.id };
    };
    const started = await Promise.allSettled([start(a), start(b)]);
    const won = started.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    const [{ chat, owner }] = won as [(typeof won)[number]];
    expect(await ask('select id, owner, epoch from chats')).toEqual([{ id: chat.id, owner, epoch: '1' }]);
  });

  test('[FLEET-2] drops a line of a chat that another kernel has taken, without a gap', async () => {
    const a = await open('a');
    const chat = newChat();
    await a.chats.create(chat);
    const [{ epoch }] = (await ask('update chats set epoch = 5 returning epoch')) as [{ epoch: string }];
    const line = (json: string, of?: { chat_id: string; epoch: number }) => ({
      told: true,
      json,
      ...(of && { of }),
    });
    const { id: chat_id } = chat;
    await a.fleet.append([
      line('"lost"', { chat_id, epoch: Number(epoch) - 1 }),
      line('"own"', { chat_id, epoch: Number(epoch) }),
      line('"deleted"', { chat_id: nextId(), epoch: 1 }),
    ]);
    await a.fleet.append([line('"lost"', { chat_id, epoch: 1 })]);
    await a.fleet.append([line('"none"')]);
    const lines = await a.fleet.linesAfter(0, 10);
    expect(lines.map(({ n, json }) => [n, json])).toEqual([
      [1, '"own"'],
      [2, '"deleted"'],
      [3, '"none"'],
    ]);
    expect(await a.fleet.lastLine()).toBe(3);
  });

  test('orders the log of all kernels without gaps, and never returns a lower number later', async () => {
    const kernels = [await open('a'), await open('b'), await open('c')];
    const seen: number[] = [];
    let done = false;
    const reading = (async () => {
      while (!done || seen.length < 150) {
        for (const { n } of await kernels[0]!.fleet.linesAfter(seen.at(-1) ?? 0, 500)) seen.push(n);
      }
    })();
    await Promise.all(
      kernels.map(async ({ fleet }, kernel) => {
        for (let n = 0; n < 25; n++)
          await fleet.append([
            { told: true, json: `"${kernel}.${n}.1"` },
            { told: false, json: `"${kernel}.${n}.2"` },
          ]);
      }),
    );
    done = true;
    await reading;
    expect(seen).toEqual(Array.from({ length: 150 }, (_, n) => n + 1));
    expect(await kernels[1]!.fleet.lastLine()).toBe(150);
  });

  test(
    '[FLEET-2] keeps the history of one owner at a time, for any interleaving of writes by two owners',
    PATIENT,
    async () => {
      const stores = [await open('a'), await open('b')] as const;
      const step = fc.record({
        who: fc.nat({ max: 1 }),
        what: fc.constantFrom('seize', 'append', 'append', 'change', 'copy', 'drop'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 8 }), async rounds => {
          const chat = newChat();
          await stores[0].chats.create(chat);
          const message = newMessage(chat.id, { turn_id: nextId() });
          const turn = newTurn(message, { status: 'running' });
          await stores[0].turns.create(turn, message, { place: true, held: held(chat.id, 1) });
          const epochs = [1, 0];
          const owners = new Map([[1, 0]]);
          const kept = new Map<string, number>();
          const refused = new Set<string>();
          let newest = { epoch: 1, model: null as string | null };
          const acts = {
            /** The other one looks dead for a moment, as after a long pause. */
            async seize(who: number) {
              const { fleet } = stores[who]!;
              await strikeOut(stores[1 - who]!.fleet);
              const owner = await fleet.take(chat.id);
              await stores[1 - who]!.fleet.beat();
              if (owner?.other !== undefined || owner === undefined) return;
              expect(owners.has(owner.epoch)).toBe(false);
              owners.set(owner.epoch, who);
              epochs[who] = owner.epoch;
            },
            async append(who: number) {
              const epoch = epochs[who]!;
              const said = newMessage(chat.id, {
                turn_id: turn.id,
                content: [{ type: 'text', text: `${epoch}` }],
              });
              await write(who, { append: [said] }).then(
                () => kept.set(said.id, epoch),
                () => refused.add(said.id),
              );
            },
            async change(who: number) {
              const epoch = epochs[who]!;
              const model = `${epoch}.${nextId()}`;
              const done = await write(who, { turn: { model } }).then(
                () => true,
                () => false,
              );
              if (done && epoch >= newest.epoch) newest = { epoch, model };
            },
            async copy(who: number) {
              const epoch = epochs[who]!;
              const checkpoint = [newMessage(chat.id, { content: [{ type: 'text', text: `${epoch}` }] })];
              await stores[who]!.turns.checkpoint([{ ...held(chat.id, epoch), id: turn.id, checkpoint }]);
            },
            async drop(who: number) {
              const dropped = { turn_ids: [], message_ids: [], ended_at: chat.created_at };
              await stores[who]!.turns.drop(held(chat.id, epochs[who]!), dropped).catch(error => {
                if (error.code !== 'fenced' && !/lacks|in \(\)|syntax/.test(error.message)) throw error;
              });
            },
          };
          const write = (who: number, more: object) =>
            stores[who]!.turns.write({
              turn_id: turn.id,
              ...held(chat.id, epochs[who]!),
              turn: {},
              ...more,
            }).catch(error => {
              expect(error).toMatchObject({ code: 'fenced' });
              throw error;
            });
          for (const round of rounds) await Promise.all(round.map(({ who, what }) => acts[what](who)));

          const messages = await stores[0].messages.listFrom(chat.id, 2);
          const written = messages.map(({ content }) => Number((content[0] as { text: string }).text));
          // One owner after the other: epochs only grow along the history.
          expect(written).toEqual([...written].sort((a, b) => a - b));
          expect(new Set(messages.map(({ id }) => id))).toEqual(new Set(kept.keys()));
          for (const { id } of messages) expect(refused).not.toContain(id);
          // The last change of the turn comes from the newest owner that changed it.
          const { model } = (await stores[0].turns.get(chat.id, turn.id))!;
          expect(Number(model?.split('.')[0] ?? 1)).toBe(newest.epoch);
        }),
        { numRuns: Number(process.env.RUNS ?? atScale(20, 200)) },
      );
    },
  );
});
