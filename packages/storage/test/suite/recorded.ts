/**
 * Tests a database that an earlier kernel created. The fixtures are the statements with which that kernel created and
 * filled it, a line of JSON each, and what its store then read.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newChatSettings } from '@chat-kernel/protocol';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { BookSearch } from '../../../features/src/books/book-search.ts';
import { BookStore } from '../../../features/src/books/store.ts';
import { VideoStore } from '../../../features/src/videos/history-store.ts';
import { SubscriptionStore } from '../../../features/src/videos/subscription-store.ts';
import { MIGRATIONS, migrate } from '../../src/migrations/migrate.ts';
import { NOW, newChat, newMessage, newTurn } from '../records.ts';
import type { Stage } from '../stage.ts';

const VERSION = 9;
const CHAT = '0198a000-0000-7000-8000-000000000001';
const TURNS = [2, 6, 9].map(n => `0198a000-0000-7000-8000-00000000000${n}`);
const IMAGE = '11111111-1111-4111-8111-111111111111';
const FILE = '22222222-2222-4222-8222-222222222222';
/** Named in `leftovers`. */
const LEFT_IMAGE = '33333333-3333-4333-8333-333333333333';

export function recordedSuite(stage: Stage): void {
  test('opens a database of version 9 with all its data', async () => {
    await replay(stage);
    const left = await writeBytes(stage, `images/33/${LEFT_IMAGE}`, 'left');
    await writeBytes(stage, `images/11/${IMAGE}`, '\x01\x02\x03');
    const file = await writeBytes(stage, `files/22/${FILE}/a.txt`, 'A file.');
    stage.store = await stage.open();
    const reads = JSON.parse(await readFile(fixture('reads.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(await readAll(stage, reads)))).toEqual(withLaterFields(reads));
    expect([...((await stage.store.images.get(IMAGE))?.bytes ?? [])]).toEqual([1, 2, 3]);
    expect(await stage.store.files.path(reads.file)).toBe(file);
    expect(existsSync(left)).toBe(false);
    expect(stage.logged.info).toEqual(MIGRATIONS.length > VERSION ? ['The database is being migrated.'] : []);
  });

  test('writes to, searches, rewinds and empties a database of version 9', async () => {
    await replay(stage);
    stage.store = await stage.open();
    const { store } = stage;
    const message = newMessage(CHAT, {
      id: 'm',
      turn_id: 't',
      content: [{ type: 'text', text: 'A newer fox' }],
    });
    await store.turns.create(newTurn(message), message, { place: true });
    expect((await store.messages.get(CHAT, 'm'))?.position).toBe(5);
    expect((await store.search.messages('fox', 9)).map(hit => hit.message_id)[0]).toBe('m');
    const parts = { from: 1, before: 6, marker: newMessage('b', { id: 'm0' }), closing: [] };
    let copies = 0;
    const newId = () => `copy ${++copies}`;
    await store.chats.fork({ branch: newChat({ id: 'b' }), parent_id: CHAT, ...parts, newId });
    expect(copies).toBe(5);
    expect(await store.messages.rewind(CHAT, 1)).toMatchObject({ deleted: 5 });
    for (const { id } of await store.chats.list({ limit: 9 })) await store.chats.delete(id);
    expect(await store.chats.list({ limit: 9 })).toEqual([]);
    // Counts are permanent.
    expect(await store.chats.count()).toMatchObject({ chats: 3 });
    expect(await store.search.messages('fox', 9)).toEqual([]);
    expect(await store.files.get(FILE)).toBeUndefined();
  });

  test('applies later migrations to a database of version 9, with the version stored in its table meta', async () => {
    await replay(stage);
    await stage.withDatabase(async database => {
      await migrate(database, stage.log, [
        ...MIGRATIONS,
        db => db.schema.alterTable('chats').addColumn('stars', 'integer').execute(),
      ]);
      const rows = await database.db
        .selectFrom('meta')
        .selectAll()
        .where('key', '=', 'schema_version')
        .execute();
      expect(rows).toEqual([{ key: 'schema_version', value: String(MIGRATIONS.length + 1) }]);
    });
    await expect(stage.open()).rejects.toThrow(
      `has schema version ${MIGRATIONS.length + 1}, and this chat-kernel knows versions up to ${MIGRATIONS.length}. ` +
        'Start the newer chat-kernel again; or, where a copy from before the migration is wanted, put the old one ' +
        'back, or restore a backup into an empty directory (chat-kernel restore FILE --data DIR).',
    );
  });
}

/** The reads of version 9 with the fields of later versions, as they are for existing rows. */
function withLaterFields(
  reads: Record<'chats' | 'approvals' | 'modules' | 'turns', object[]> & { key: { turn: object } },
): object {
  const approvedBefore = (module: { hash?: string; approved_hash?: string; declaration?: object }) =>
    module.approved_hash === module.hash ? module.declaration : null;
  return {
    ...reads,
    chats: reads.chats.map(chat => ({ ...newChatSettings({}), ...chat, hands: null, home: null })),
    approvals: reads.approvals.map(each => ({
      ...each,
      workdir: null,
      workdir_on: 'client',
      client_id: null,
      hands: null,
      prefix: null,
      target: null,
      outside: null,
      decision: 'allow_always',
    })),
    turns: reads.turns.map(each => ({ ...each, outside: [] })),
    key: { ...reads.key, turn: { ...reads.key.turn, outside: [] } },
    modules: reads.modules.map(each => ({ ...each, approved_declaration: approvedBefore(each) })),
  };
}

const fixture = (name: string): URL => new URL(`../fixtures/version-9.${name}`, import.meta.url);

/** Runs the recorded statements; the store stays closed. */
async function replay(stage: Stage): Promise<void> {
  await stage.empty();
  const recorded = await readFile(fixture(stage.url === null ? 'sqlite.jsonl' : 'postgres.jsonl'), 'utf8');
  await stage.withDatabase(async ({ db }) => {
    for (const line of recorded.trim().split('\n')) {
      const [statement, parameters] = JSON.parse(line);
      await db.executeQuery(CompiledQuery.raw(statement, parameters));
    }
  });
}

async function writeBytes({ data_dir }: Stage, path: string, bytes: string): Promise<string> {
  const target = join(data_dir, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, bytes);
  return target;
}

/** The reads of the fixture, in its order. */
async function readAll(
  { store, log }: Stage,
  { chats, books }: { chats: { id: string }[]; books: { id: string }[] },
) {
  const { transactions, searchIndex } = store;
  const shelves = new BookStore(transactions, searchIndex, log);
  const ids = [CHAT, ...chats.map(({ id }) => id).filter(id => id !== CHAT)];
  return {
    chats: await store.chats.list({ limit: 9 }),
    messages: (await Promise.all(ids.map(id => store.messages.list(id, { limit: 9 })))).flat(),
    turns: await Promise.all(TURNS.map(id => store.turns.get(CHAT, id))),
    waiting: await store.messages.listOfTurn(CHAT, TURNS[2]!),
    unfinished: (await store.turns.listUnfinished()).map(({ id }) => id),
    key: await store.turns.findByKey(CHAT, 'key', NOW),
    marker: await store.messages.findCompaction(CHAT, 9),
    counts: await store.chats.count(),
    hits: await store.search.messages('fox', 9),
    spend: await store.spend.list(CHAT),
    total: await store.spend.listTotals(),
    days: await store.spend.listDays('2026-01-01'),
    image: { ...(await store.images.get(IMAGE)), bytes: undefined },
    file: await store.files.get(FILE),
    modules: await store.modules.list(),
    persons: await store.persons.list(),
    triage: await store.triage.get(),
    approvals: await store.approvals.list(),
    videos: await new VideoStore(transactions).list({ limit: 9 }),
    subscriptions: await new SubscriptionStore(transactions).list(),
    books: await shelves.list({ limit: 9 }),
    parts: await shelves.listParts(books[0]!.id, 1, 9),
    book_hits: await new BookSearch(transactions, searchIndex).books('main', 'whales', 9),
    sleep: await store.sleep.get(),
  };
}
