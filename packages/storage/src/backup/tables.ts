/** Converts tables for an archive: rows by their columns, identical for every database. */
import { sql } from 'kysely';
import { readMeta } from '../tables/meta.ts';
import type { Db, Schema } from '../tables/schema.ts';
import type { Row } from './format.ts';

type Table = keyof Schema;

/**
 * Table → its key columns; referenced tables come first. Null: not in the archive, because the table is derived from
 * others or rebuilt (the search index, leftovers, and the locations of bytes), or because it describes files on
 * machines.
 */
const KEYS: { [T in Table]: readonly (keyof Schema[T] & string)[] | null } = {
  meta: ['key'],
  chats: ['id'],
  messages: ['id'],
  versions: ['id'],
  version_messages: ['id'],
  turns: ['id'],
  spend: ['chat_id', 'model'],
  idempotency: ['chat_id', 'key'],
  images: ['id'],
  image_uses: ['chat_id', 'image_id'],
  imports: ['source', 'key'],
  files: ['id'],
  file_uses: ['message_id', 'file_id'],
  version_file_uses: ['message_id', 'file_id'],
  approvals: ['id'],
  decisions: ['id'],
  modules: ['name'],
  persons: ['id'],
  person_ids: ['surface', 'external_id'],
  triage: ['id'],
  side_spend: ['model'],
  day_spend: ['day', 'model', 'part'],
  spend_by_day: ['day', 'model'],
  video_history: ['video_id'],
  video_places: ['id'],
  subscriptions: ['channel_id'],
  push_subscriptions: ['id'],
  memory: ['id'],
  memory_proposals: ['id'],
  hands: ['client_id'],
  schedules: ['id'],
  schedule_runs: ['schedule_id', 'due_at'],
  books: ['id'],
  book_parts: ['book_id', 'n'],
  gone_counts: ['what'],
  leftovers: null,
  stored_bytes: null,
  byte_chunks: null,
  kernels: null,
  kernel_events: null,
  spend_reservations: null,
  brought_tools: null,
  edits: null,
  texts: null,
  book_texts: null,
};

/** The tables whose rows are archived, in the order in which they are restored. */
export const TABLES: readonly Table[] = (Object.keys(KEYS) as Table[]).filter(table => KEYS[table] !== null);
/** Whether archives may contain this table. Each has its own list of leftovers. */
export const isArchived = (table: string): boolean =>
  table === 'leftovers' || TABLES.includes(table as Table);
/** Rows that are in memory together: a message may be large. */
const PAGE = 100;
/** Every database creates this row itself. */
const SCHEMA_VERSION = 'schema_version';

/** Yields all rows of a table by its key, one page at a time. */
export async function* readPages(db: Db, table: Table): AsyncGenerator<Row[]> {
  const columns = KEYS[table] ?? [];
  const key = sql.join(columns.map(column => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const behind = last && sql`where (${key}) > (${sql.join(columns.map(column => last?.[column]))})`;
    const page = sql<Row>`select * from ${selectRows(table)} ${behind ?? sql``} order by ${key} limit ${PAGE}`;
    const { rows } = await page.execute(db);
    if (rows.length === 0) return;
    last = rows.at(-1);
    yield rows;
  }
}

export async function countRows(db: Db, table: Table): Promise<number> {
  const counted = sql<{ count: number }>`select count(*) as count from ${selectRows(table)}`;
  return Number((await counted.execute(db)).rows[0]?.count);
}

/** Selects the rows that an archive contains. */
const selectRows = (table: Table) =>
  table === 'meta'
    ? sql`(select * from meta where key <> ${SCHEMA_VERSION}) as other_meta`
    : sql.table(table);

/** Undefined if no kernel has used the database. */
export async function readSchemaVersion(db: Db): Promise<number | undefined> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'meta')) return undefined;
  const version = await readMeta(db, SCHEMA_VERSION);
  return version === null ? undefined : Number(version);
}
