/** Tests behavior specific to Postgres: an unreachable server, broken connections, a lost lock. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { systemClock } from '@chat-kernel/kernel';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { startPostgres } from './postgres.ts';
import { NOW, newChat, newMessage, newSpend, nextId } from './records.ts';
import { Stage } from './stage.ts';

const postgres = await startPostgres().catch((error: unknown): undefined => {
  if (process.env.REQUIRE_ALL) throw error;
  process.stderr.write(`The tests of Postgres are skipped: ${error}\n`);
});
afterAll(() => postgres?.stop());

describe.skipIf(!postgres)('Postgres', () => {
  const stage = new Stage({ onPostgres: true });
  const directories: string[] = [];
  afterEach(() => Promise.all(directories.splice(0).map(directory => rm(directory, { recursive: true }))));

  /** Opens the URL from another data directory. */
  const openElsewhere = async (url: string) => {
    const data_dir = await mkdtemp(join(tmpdir(), 'chat-kernel-storage-'));
    directories.push(data_dir);
    return openStore({ data_dir, url, log: stage.log, clock: systemClock });
  };
  /** A session that is independent of the store. */
  const withSession = async <Answer>(work: (session: pg.Client) => Promise<Answer>): Promise<Answer> => {
    const session = new pg.Client({ connectionString: stage.url! });
    await session.connect();
    try {
      return await work(session);
    } finally {
      await session.end();
    }
  };

  test.each([
    [
      'no server',
      'postgres://me:hush%2Fhush@127.0.0.1:1/name',
      /database name at 127\.0\.0\.1:1 can't be opened: .*ECONNREFUSED/,
    ],
    [
      'no server at any address of the name',
      'postgres://me:hush%2Fhush@localhost:1/name',
      /can't be opened: .*ECONNREFUSED/,
    ],
    [
      'no such host',
      'postgres://me:hush%2Fhush@nowhere.invalid/name',
      /can't be opened: .*(ENOTFOUND|EAI_AGAIN)/,
    ],
    ['an invalid address', 'postgres://me:hush/hush@[half/name', /not a valid address/],
  ])('reports a failed connection without the password: %s', async (_, url, sentence) => {
    const error = await openElsewhere(url).catch(each => each);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toMatch(sentence);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hush/);
  });

  test('names a rejected password and a missing database, without showing the password', async () => {
    const url = new URL(stage.url!);
    url.pathname = '/missing';
    await expect(openElsewhere(url.href)).rejects.toThrow('database "missing" does not exist');
    url.password = 'hush';
    const error = await openElsewhere(url.href).catch(each => each);
    expect(error.message).toContain('password authentication failed');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hush/);
  });

  test('rejects a second kernel with another data directory until the first one closes', async () => {
    await expect(openElsewhere(stage.url!)).rejects.toThrow(/is in use: another kernel uses it/);
    await stage.store.close();
    const second = await openElsewhere(stage.url!);
    await second.close();
  });

  test('reads only the messages of a page, also before Postgres knows how long chats are', async () => {
    const { chat } = await stage.history(3000);
    /** How many rows statements have read from the table so far. A connection reports its own once it is idle. */
    const read = () =>
      withSession(async session => {
        const { rows } = await session.query(
          `select idx_tup_fetch from pg_stat_user_tables where relname = 'messages'`,
        );
        return Number(rows[0].idx_tup_fetch);
      });
    const before = await read();
    expect(await stage.store.messages.list(chat.id, { limit: 200 })).toHaveLength(200);
    expect(await stage.store.messages.list(chat.id, { limit: 200, before: 1500 })).toHaveLength(200);
    expect(await stage.store.messages.listFrom(chat.id, 1, 200)).toHaveLength(200);
    await expect.poll(async () => (await read()) - before).toBeGreaterThanOrEqual(600);
    expect((await read()) - before).toBeLessThan(700);
  });

  test('survives the loss of all connections, and reconnects', async () => {
    const { chat } = await stage.history(2);
    const writes = Array.from({ length: 20 }, () => stage.turn(chat.id));
    const settled = Promise.allSettled(writes);
    await withSession(session =>
      session.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'chat-kernel' and datname = current_database()`,
      ),
    );
    const written = (await settled).filter(({ status }) => status === 'fulfilled').length;
    await expect
      .poll(
        () =>
          stage.store.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 5000 },
      )
      .toBe(true);
    const { messages } = await stage.store.chats.count();
    // A commit whose response was lost with its connection may have succeeded.
    expect(messages).toBeGreaterThanOrEqual(2 + written);
    await stage.turn(chat.id);
    expect((await stage.store.chats.count()).messages).toBe(messages + 1);
  });

  test('writes nothing while another session has the lock', async () => {
    const chat = await stage.chat();
    await withSession(async thief => {
      const stolen = thief.query('select pg_advisory_lock($1, $2)', [0x63686174, 0x6b65726e]);
      await withSession(session =>
        session.query(
          `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
            and database = (select oid from pg_database where datname = current_database())`,
        ),
      );
      await stolen;
      await expect
        .poll(() => stage.store.ping().catch(String))
        .toMatch(/the connection that holds its lock broke/);
      await expect(stage.store.chats.create(newChat())).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
      await expect.poll(() => stage.logged.error).toContain('Another kernel has taken the database.');
      expect(await stage.store.chats.get(chat.id)).toEqual(chat);
    });
    await expect
      .poll(
        () =>
          stage.chat().then(
            () => true,
            () => false,
          ),
        { timeout: 5000 },
      )
      .toBe(true);
    expect(stage.logged.info).toEqual(['The lock of the database is held again.']);
  });

  test('makes an approval wait for another session that deletes its chat, and then discards it', async () => {
    const chat = await stage.chat();
    await withSession(async session => {
      await session.query('begin');
      await session.query('delete from chats where id = $1', [chat.id]);
      const place = { workdir: null, workdir_on: 'client', client_id: null, hands: null } as const;
      const said = {
        action: 'shell',
        command: 'ls',
        prefix: null,
        target: null,
        outside: null,
        created_at: NOW,
      };
      const approval = {
        id: nextId(),
        chat_id: chat.id,
        ...said,
        ...place,
        decision: 'allow_always' as const,
      };
      const saved = stage.store.approvals.save(approval);
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await withSession(other => other.query(waiting))).rowCount).toBe(1);
      await session.query('commit');
      await saved;
    });
    expect(await stage.store.approvals.list()).toEqual([]);
  });

  test('deletes chats with shared texts and images concurrently, and leaves no rows', async () => {
    const { store } = stage;
    const { chat } = await stage.history(30);
    const image = { id: crypto.randomUUID(), chat_id: chat.id, media_type: 'image/png', created_at: NOW };
    await store.images.save(image, new Uint8Array(1));
    const branches = Array.from({ length: 5 }, () => newChat());
    for (const branch of branches) {
      const parts = { from: 1, before: 31, marker: newMessage(branch.id), closing: [], newId: nextId };
      await store.chats.fork({ branch, parent_id: chat.id, ...parts });
    }
    await Promise.all([chat, ...branches].map(({ id }) => store.chats.delete(id)));
    expect(await store.images.get(image.id)).toBeUndefined();
    await withSession(async session => {
      for (const table of ['texts', 'messages', 'images', 'leftovers'])
        expect((await session.query(`select 1 from ${table}`)).rowCount, table).toBe(0);
    });
  });

  test('reads a page in the middle of a long chat by index', async () => {
    const chat = await stage.chat();
    await withSession(async session => {
      await session.query(
        `insert into messages (id, chat_id, position, role, created_at, status, content)
         select 'm' || n, $1, n, 'user', '', 'completed', '[]' from generate_series(1, 20000) n`,
        [chat.id],
      );
      await session.query('analyze messages');
      const { rows } = await session.query(
        `explain select * from messages where chat_id = $1 and position > 0 and position < 10000
         order by position desc limit 100`,
        [chat.id],
      );
      const plan = rows.map(row => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Scan Backward using messages_by_position');
      expect(plan).not.toContain('Sort');
    });
    const page = await stage.store.messages.list(chat.id, { limit: 100, before: 10_000 });
    expect(page.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, i) => 9900 + i));
  });

  const usedBy = (model: string) => {
    const { turns: _, ...used } = newSpend({ model });
    return { ...used, day: '2026-02-01' };
  };

  test('records spend by day without waiting for other turns, in few rows', async () => {
    const { id: chat_id } = await stage.chat();
    const record = () => stage.store.chats.write({ chat_id, days: [usedBy('a/x')] });
    await record();
    await withSession(async session => {
      await session.query('begin; update day_spend set prompt_tokens = prompt_tokens');
      for (let n = 0; n < 5; n++) await record();
      await session.query('rollback');
      const { rows } = await session.query('select prompt_tokens from day_spend');
      expect(rows.map(row => Number(row.prompt_tokens)).sort((a, b) => a - b)).toEqual([10, 50]);
    });
    expect(await stage.store.spend.listDays('2026-02-01')).toMatchObject([{ prompt_tokens: 60 }]);
  });

  test('records the spend of several models in turns at the same time', async () => {
    const chats = await Promise.all(Array.from({ length: 10 }, () => stage.chat()));
    const models = ['a/x', 'b/y', 'c/z'].map(usedBy);
    for (let round = 0; round < 10; round++)
      await Promise.all(
        chats.map(({ id: chat_id }, n) =>
          stage.store.chats.write({ chat_id, days: n % 2 === 0 ? models : models.toReversed() }),
        ),
      );
    expect(await stage.store.spend.listDays('2026-02-01')).toMatchObject(
      models.map(({ model }) => ({ model, prompt_tokens: 1000 })),
    );
  });
});
