/** Whose a chat is: rows that change owner by conditional updates, each of which raises the epoch (FLEET-2). */
import type { ChatOwner, OwnedChat } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Db } from '../tables/schema.ts';

/** Chats that are released in one statement. */
const LOT = 500;

/** Nobody alive owns the chat `chats`. */
const UNOWNED = sql`(chats.owner is null or not exists (select 1 from kernels where kernels.id = chats.owner))`;
/** A chat that works on a machine goes to the kernel of that machine, as long as one lives. */
const goesTo = (name: string) =>
  sql`(chats.home is null or chats.home = ${name} or not exists (select 1 from kernels where kernels.name = chats.home))`;
/** A kernel that the others take for dead takes nothing. */
const lives = (kernel: string) => sql`exists (select 1 from kernels where kernels.id = ${kernel})`;

/** A kernel that takes chats. */
interface Taker {
  readonly id: string;
  /** Of its machine. */
  readonly name: string;
}

export async function takeChat(
  db: Db,
  { id: kernel, name }: Taker,
  chatId: string,
): Promise<ChatOwner | undefined> {
  const taken = await sql<{ epoch: number }>`
    update chats set owner = ${kernel}, epoch = epoch + 1
    where id = ${chatId} and ((${UNOWNED} and ${goesTo(name)}) or owner = ${kernel}) and ${lives(kernel)}
    returning epoch`.execute(db);
  if (taken.rows[0]) return { epoch: taken.rows[0].epoch };
  const other = await otherOwner(db, kernel, chatId);
  return other && { other };
}

/** The kernel to which a chat belongs, or goes for its machine, where that is not this one. */
export async function otherOwner(db: Db, kernel: string, chatId: string): Promise<ChatOwner['other']> {
  const { rows } = await sql<{ id: string; url: string }>`
    select kernels.id, kernels.url from chats join kernels on kernels.id = chats.owner or kernels.name = chats.home
    where chats.id = ${chatId} and kernels.id <> ${kernel} and chats.owner is distinct from ${kernel}
    order by kernels.id = chats.owner desc limit 1`.execute(db);
  return rows[0];
}

/** In one statement. Chats in which a turn ran come first: somebody waits for its end. */
export async function takeOrphans(
  db: Db,
  { id: kernel, name }: Taker,
  most: number,
  except: readonly string[],
): Promise<OwnedChat[]> {
  const { rows } = await sql<OwnedChat>`
    with orphans as materialized (
      select chats.id from turns join chats on chats.id = turns.chat_id
      where turns.status in ('queued', 'sleeping', 'running') and ${UNOWNED} and ${goesTo(name)}
        and chats.id <> all(${except}::text[])
      order by turns.status = 'running' desc, turns.id limit ${most} for update of chats skip locked
    )
    update chats set owner = ${kernel}, epoch = epoch + 1
    from (select distinct id from orphans) as orphan
    where chats.id = orphan.id and ${UNOWNED} and ${lives(kernel)}
    returning chats.id as chat_id, epoch`.execute(db);
  return rows;
}

export async function stillOwned(db: Db, kernel: string, chats: readonly OwnedChat[]): Promise<OwnedChat[]> {
  const owned: OwnedChat[] = [];
  for (const lot of lotsOf(chats)) {
    const rows = await db
      .selectFrom('chats')
      .select(['id as chat_id', 'epoch'])
      .where('owner', '=', kernel)
      .where('id', 'in', idsOf(lot))
      .execute();
    const epochs = new Map(lot.map(({ chat_id, epoch }) => [chat_id, epoch]));
    owned.push(...rows.filter(({ chat_id, epoch }) => epochs.get(chat_id) === epoch));
  }
  return owned;
}

export async function openChats(db: Db, kernel: string): Promise<string[]> {
  const rows = await db
    .selectFrom('turns')
    .innerJoin('chats', 'chats.id', 'turns.chat_id')
    .select('chats.id')
    .distinct()
    .where('turns.status', 'in', ['queued', 'sleeping', 'running'])
    .where('chats.owner', '=', kernel)
    .execute();
  return rows.map(({ id }) => id);
}

/** Chats that have come back since, by another epoch, stay. */
export async function releaseChats(db: Db, kernel: string, chats: readonly OwnedChat[]): Promise<void> {
  for (const lot of lotsOf(chats)) {
    const pairs = sql.join(lot.map(({ chat_id, epoch }) => sql`(${chat_id}, ${epoch}::bigint)`));
    await sql`update chats set owner = null where owner = ${kernel} and (id, epoch) in (${pairs})`.execute(
      db,
    );
  }
}

const idsOf = (chats: readonly OwnedChat[]): string[] => chats.map(({ chat_id }) => chat_id);

function lotsOf<Each>(all: readonly Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / LOT) }, (_, n) => all.slice(n * LOT, (n + 1) * LOT));
}
