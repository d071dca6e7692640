/**
 * Version 18: all tables of the first version that several kernels can share. Databases of the versions before are from
 * before the first release.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Migration } from '../database/database.ts';

export const tables: Migration = async (db, keyType, index) => {
  const key = keyType === 'text' ? sql.raw(keyType) : keyType;
  for (const statement of [...chats(key), ...extensions(key), ...books(key), ...fleet(key)])
    await statement.execute(db);
  await index.create(db);
};

type Statements = (key: RawBuilder<unknown>) => RawBuilder<unknown>[];

const chats: Statements = key => [
  sql`create table chats (
    id ${key} primary key, title text, title_search text, created_at ${key} not null,
    updated_at ${key} not null, last_message_at ${key}, workdir text, workdir_on text not null,
    forked_from ${key}, forked_at_message ${key}, effort text, model text, shelf ${key} not null,
    project ${key}, toolset text not null, compaction text not null, summary text,
    plan text not null, prefix_tokens bigint not null, last_position bigint not null,
    notebook text not null default '""', notebook_at ${key},
    context_tokens bigint not null default 0, consent text not null default 'auto', hands text,
    owner ${key}, epoch bigint not null default 0, home text
  )`,
  sql`create index chats_by_shelf on chats (shelf, id)`,
  sql`create index chats_by_project on chats (project, id)`,
  sql`create table messages (
    id ${key} primary key, chat_id ${key} not null references chats (id) on delete cascade,
    position bigint, role text not null, turn_id ${key}, sender text, created_at ${key} not null,
    status text not null, content text not null, marker text, text_id bigint,
    constraint messages_by_position unique (chat_id, position)
  )`,
  sql`create index messages_by_turn on messages (turn_id, position)`,
  sql`create index messages_by_marker on messages (chat_id, marker, position) where marker is not null`,
  sql`create index messages_by_text on messages (text_id) where text_id is not null`,
  sql`create table turns (
    id ${key} primary key, chat_id ${key} not null references chats (id) on delete cascade,
    message_id ${key} not null, status text not null, model text, effort text not null,
    created_at ${key} not null, started_at ${key}, ended_at ${key}, usage text not null,
    stop_reason text, error text, parameters text not null, checkpoint text, sleep text
  )`,
  sql`create index turns_by_chat on turns (chat_id)`,
  // The index serves two queries: the unfinished turns, and the number of turns of each status.
  sql`create index turns_by_status on turns (status, id)`,
  sql`create table idempotency (
    chat_id ${key} not null references chats (id) on delete cascade, key ${key} not null,
    turn_id ${key} not null, fingerprint text not null, created_at ${key} not null,
    constraint idempotency_by_key primary key (chat_id, key)
  )`,
  sql`create index idempotency_by_age on idempotency (created_at)`,
  sql`create table approvals (
    id ${key} primary key, chat_id ${key} not null references chats (id) on delete cascade,
    action text not null, command text, created_at ${key} not null, workdir text,
    workdir_on text not null default 'client', client_id text, hands text, prefix text,
    decision text not null default 'allow_always'
  )`,
  sql`create index approvals_by_chat on approvals (chat_id)`,
  // Branches of a chat use its images, too.
  sql`create table images (
    id ${key} primary key, chat_id ${key} not null, media_type text not null,
    created_at ${key} not null
  )`,
  sql`create table image_uses (
    chat_id ${key} not null references chats (id) on delete cascade,
    image_id ${key} not null references images (id),
    constraint image_uses_by_chat primary key (chat_id, image_id)
  )`,
  sql`create index image_uses_by_image on image_uses (image_id)`,
  sql`create table files (
    id ${key} primary key, name text not null, media_type text not null, size bigint not null,
    created_at ${key} not null, used_at ${key} not null
  )`,
  sql`create index files_by_use on files (used_at)`,
  sql`create table file_uses (
    message_id ${key} not null references messages (id) on delete cascade,
    file_id ${key} not null references files (id),
    constraint file_uses_by_message primary key (message_id, file_id)
  )`,
  sql`create index file_uses_by_file on file_uses (file_id)`,
  sql`create table leftovers (id ${key} primary key, folder text not null default 'images')`,
  sql`create table spend (
    chat_id ${key} not null references chats (id) on delete cascade, model ${key} not null,
    ${TOKENS}, turns bigint not null, constraint spend_by_model primary key (chat_id, model)
  )`,
  // Of requests outside of chats.
  sql`create table side_spend (model ${key} primary key, ${TOKENS}, turns bigint not null)`,
  sql`create table spend_by_day (
    day ${key} not null, model ${key} not null, ${TOKENS},
    constraint spend_by_day_key primary key (day, model)
  )`,
  // Of deleted chats, for statistics that never decrease.
  sql`create table gone_counts (what ${key} primary key, number bigint not null)`,
];

const TOKENS = sql`prompt_tokens bigint not null, completion_tokens bigint not null,
    reasoning_tokens bigint not null, cached_tokens bigint not null, cost_usd double precision`;

const extensions: Statements = key => [
  sql`create table modules (
    name ${key} primary key, declaration text not null, hash text not null, approved_hash text,
    decided_at ${key}, approved_declaration text
  )`,
  sql`create table persons (
    id ${key} primary key, name text, master integer not null, trusted integer not null,
    created_at ${key} not null
  )`,
  sql`create table person_ids (
    surface ${key} not null, external_id ${key} not null,
    person_id ${key} not null references persons (id) on delete cascade,
    constraint person_ids_by_surface primary key (surface, external_id)
  )`,
  sql`create index person_ids_by_person on person_ids (person_id)`,
  // Contains a single row, which is incremented; so does video_places.
  sql`create table triage (id integer primary key, engaged bigint not null, responded bigint not null)`,
  sql`create table video_history (
    video_id ${key} primary key, place bigint not null unique, record text not null
  )`,
  sql`create table video_places (id integer primary key, last bigint not null)`,
  sql`create table subscriptions (channel_id ${key} primary key, record text not null)`,
  sql`create table push_subscriptions (
    id ${key} primary key, endpoint ${key} not null unique, created_at ${key} not null,
    record text not null
  )`,
  sql`create table memory (id ${key} primary key, created_at ${key} not null, record text not null)`,
  sql`create table hands (client_id ${key} primary key, record text not null)`,
  // The chat may be deleted before its schedule.
  sql`create table schedules (
    id ${key} primary key, created_at ${key} not null, next_at ${key}, chat_id ${key},
    record text not null
  )`,
  sql`create index schedules_by_next on schedules (next_at)`,
  sql`create index schedules_by_chat on schedules (chat_id)`,
  sql`create table schedule_runs (
    schedule_id ${key} not null references schedules (id) on delete cascade, due_at ${key} not null,
    chat_id ${key}, turn_id ${key}, status text, started_at ${key}, ended_at ${key}, error text,
    constraint schedule_runs_by_due primary key (schedule_id, due_at)
  )`,
  sql`create index schedule_runs_by_turn on schedule_runs (turn_id)`,
  sql`create index schedule_runs_by_chat on schedule_runs (chat_id)`,
];

const books: Statements = key => [
  sql`create table books (
    id ${key} primary key, shelf ${key} not null, title text not null, author text,
    format text not null, file_name text not null, size bigint not null, sha256 ${key} not null,
    unit text not null, count integer not null, chars bigint not null, created_at ${key} not null,
    whole integer not null
  )`,
  sql`create index books_by_shelf on books (shelf, id)`,
  // Several books with the same bytes may be being added to a shelf; only one of them is completed.
  sql`create unique index books_once on books (shelf, sha256) where whole = 1`,
  sql`create table book_parts (
    book_id ${key} not null, n integer not null, section integer not null, title text,
    title_search text, piece integer not null, pieces integer not null, line integer,
    last_line integer, text text not null, text_id bigint,
    constraint book_parts_key primary key (book_id, n)
  )`,
  sql`create index book_parts_by_text on book_parts (text_id)`,
  sql`create index book_parts_by_section on book_parts (book_id, section, piece)`,
];

const fleet: Statements = key => [
  sql`create table kernels (
    id ${key} primary key, boot bigint not null, url text not null, name text not null,
    version text not null, since ${key} not null, seen_at bigint not null
  )`,
  sql`create table kernel_events (
    n bigint primary key, kernel ${key} not null, told bigint not null, json text not null
  )`,
];
