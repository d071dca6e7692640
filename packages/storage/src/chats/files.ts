/**
 * Uploaded files. Messages of any number of chats use them. An unused file is kept for a while, because its message may
 * be sent soon, or again after a rewind.
 */
import type { Clock, FileRecord, FileStore, Log } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { isByteId, nameOnDisk } from '../bytes/byte-files.ts';
import { leaveBytes } from '../bytes/locations.ts';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { touch } from './file-uses.ts';

/** How long a file may stay unused, from its upload or from the rewind of the last message that used it. */
export const UNUSED_FILE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

const MAX_USES = 20;

export interface SqlFileStore extends FileStore {
  /** Part of the regular maintenance: removes files that were unused for too long. */
  forgetUnused(): Promise<void>;
}

export const fileStore = (
  transactions: Transactions,
  stored: StoredBytes,
  clock: Clock,
  log: Log,
): SqlFileStore => ({
  save: (file, bytes) =>
    transactions.run(() =>
      stored.keep({
        id: file.id,
        name: nameOnDisk(file),
        bytes,
        exists: async db => (await readFile(db, file.id)) !== undefined,
        insert: (db, size) => insertFile(db, { ...file, size }),
      }),
    ),
  get: id => transactions.read(async db => (isByteId(id) ? await readFile(db, id) : undefined)),
  listUses: id => transactions.read(async db => (isByteId(id) ? await listUses(db, id) : [])),
  read: (file, range) =>
    transactions.run(async () => {
      const { id } = file;
      const bytes = await stored.open(id, nameOnDisk(file), range);
      if (!bytes) log.warn({ file_id: id }, 'The bytes of a file are missing.');
      return bytes;
    }),
  path: file => transactions.run(() => stored.path(file.id, nameOnDisk(file))),
  copy: (file, workdir) =>
    transactions.run(() => stored.copyInto(workdir, ['.service', 'files'], file.id, nameOnDisk(file))),
  forgetUnused: () =>
    transactions.run(async () => {
      const before = new Date(clock.now() - UNUSED_FILE_LIFETIME_MS).toISOString();
      await stored.sweep(await transactions.within(db => forgetFiles(db, before)));
    }),
});

const listUses = (db: Db, id: string) =>
  db
    .selectFrom('file_uses')
    .innerJoin('messages', 'messages.id', 'file_uses.message_id')
    .select(['messages.chat_id', 'messages.id as message_id'])
    .where('file_uses.file_id', '=', id)
    .limit(MAX_USES)
    .execute();

async function insertFile(db: Db, file: FileRecord): Promise<FileRecord> {
  await db
    .insertInto('files')
    .values({ ...file, used_at: file.created_at })
    .execute();
  return file;
}

async function readFile(db: Db, id: string): Promise<FileRecord | undefined> {
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { used_at: _, ...file } = row;
  return file;
}

/** Copies file uses for a fork: a copied message uses the files of its original, whose position is `shift` less. */
export async function copyFileUses(
  db: Db,
  copy: { parent_id: string; branch_id: string; first: number; shift: number; ids: readonly string[] },
): Promise<void> {
  const { parent_id, branch_id, first, shift, ids } = copy;
  await sql`
    insert into file_uses (message_id, file_id)
    select copy.id, file_uses.file_id
    from file_uses
    join messages on messages.id = file_uses.message_id
    join messages as copy on copy.chat_id = ${branch_id} and copy.position = messages.position + ${shift}
    where messages.chat_id = ${parent_id}
      and messages.position between ${first} and ${first + ids.length - 1}
  `.execute(db);
}

/** Called before a rewind deletes messages: the unused time of the files of messages from a position on begins now. */
export async function releaseFiles(db: Db, chatId: string, position: number, now: string): Promise<void> {
  await touch(db, await listFileIds(db, chatId, position), now);
}

/** Called in the transaction that deletes these messages: the unused time of their files begins now. */
export async function releaseMessageFiles(db: Db, messageIds: readonly string[], now: string): Promise<void> {
  const rows = await db
    .selectFrom('file_uses')
    .select('file_id')
    .distinct()
    .where('message_id', 'in', messageIds)
    .orderBy('file_id')
    .execute();
  await touch(
    db,
    rows.map(row => row.file_id),
    now,
  );
}

/**
 * Called in the transaction that deletes a chat. `deleteRows` deletes it; its files that no other chat uses become
 * leftovers. Returns their ids.
 */
export async function leaveFiles(db: Db, chatId: string, deleteRows: () => Promise<void>): Promise<string[]> {
  const ids = [
    ...new Set([...(await listFileIds(db, chatId, null)), ...(await listVersionFileIds(db, chatId))]),
  ].sort();
  // Locks the rows, so that no other chat starts to use one now.
  for (const id of ids) {
    await db
      .updateTable('files')
      .set(eb => ({ used_at: eb.ref('used_at') }))
      .where('id', '=', id)
      .execute();
  }
  await deleteRows();
  return deleteUnused(db, ids);
}

/** Neither a message of a chat nor one of a version uses the file. */
const IS_UNUSED = sql<boolean>`not exists (select 1 from file_uses where file_uses.file_id = files.id)
  and not exists (select 1 from version_file_uses where version_file_uses.file_id = files.id)`;

/** Turns files that no message has used since `before` (RFC 3339) into leftovers; returns their ids. */
async function forgetFiles(db: Db, before: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('files')
    .where('used_at', '<', before)
    .where(IS_UNUSED)
    .returning('id')
    .execute();
  return left(db, rows);
}

async function deleteUnused(db: Db, ids: readonly string[]): Promise<string[]> {
  const gone: { id: string }[] = [];
  for (const id of ids) {
    gone.push(
      ...(await db.deleteFrom('files').where('id', '=', id).where(IS_UNUSED).returning('id').execute()),
    );
  }
  return left(db, gone);
}

async function left(db: Db, rows: readonly { id: string }[]): Promise<string[]> {
  const ids = rows.map(row => row.id);
  await leaveBytes(db, 'files', ids);
  return ids;
}

/** Returns the file ids of a chat's messages from a position on; null: of all messages, including waiting ones. */
async function listFileIds(db: Db, chatId: string, position: number | null): Promise<string[]> {
  const rows = await db
    .selectFrom('file_uses')
    .innerJoin('messages', 'messages.id', 'file_uses.message_id')
    .select('file_uses.file_id')
    .distinct()
    .where('messages.chat_id', '=', chatId)
    .$if(position !== null, query => query.where('messages.position', '>=', position))
    // Always in the same order, so that two transactions cannot deadlock.
    .orderBy('file_uses.file_id')
    .execute();
  return rows.map(row => row.file_id);
}

/** Returns the file ids of the messages in the versions of a chat; `versionIds`: only in these. */
export async function listVersionFileIds(
  db: Db,
  chatId: string,
  versionIds?: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('version_file_uses')
    .innerJoin('version_messages', 'version_messages.id', 'version_file_uses.message_id')
    .innerJoin('versions', 'versions.id', 'version_messages.version_id')
    .select('version_file_uses.file_id')
    .distinct()
    .where('versions.chat_id', '=', chatId)
    .$if(versionIds !== undefined, query => query.where('versions.id', 'in', versionIds as string[]))
    .orderBy('version_file_uses.file_id')
    .execute();
  return rows.map(row => row.file_id);
}
