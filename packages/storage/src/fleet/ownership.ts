/**
 * The ownership of chats: rows that change owner by conditional updates, each of which increases the epoch (FLEET-2).
 */
import type { ChatOwner, OwnedChat } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Db } from '../tables/schema.ts';

/** Chats that one statement releases. */
const BATCH_SIZE = 500;

/** The chat `chats` has no living owner. */
const UNOWNED = sql`(chats.owner is null or not exists (select 1 from kernels where kernels.id = chats.owner))`;
/** A chat that works on a machine is reserved for the kernel of that machine, as long as one is alive. */
const goesTo = (name: string) =>
  sql`(chats.home is null or chats.home = ${name} or not exists (select 1 from kernels where kernels.name = chats.home))`;
/** A kernel that the others consider dead must not take chats. */
const lives = (kernel: string) => sql`exists (select 1 from kernels where kernels.id = ${kernel})`;

/** A kernel that takes chats. */
interface Taker {
  readonly id: string;
  /** The name of its machine. */
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

/** Returns the kernel that owns a chat, or that should take it because of its machine, if that is not this kernel. */
export async function otherOwner(db: Db, kernel: string, chatId: string): Promise<ChatOwner['other']> {
  const { rows } = await sql<{ id: string; url: string }>`
    select kernels.id, kernels.url from chats join kernels on kernels.id = chats.owner or kernels.name = chats.home
    where chats.id = ${chatId} and kernels.id <> ${kernel} and chats.owner is distinct from ${kernel}
    order by kernels.id = chats.owner desc limit 1`.execute(db);
  return rows[0];
}

/** Takes orphaned chats in one statement. Chats with an interrupted turn come first: their clients wait for its end. */
export async function adoptOrphans(
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
  for (const lot of toBatches(chats)) {
    const rows = await db
      .selectFrom('chats')
      .select(['id as chat_id', 'epoch'])
      .where('owner', '=', kernel)
      .where('id', 'in', listChatIds(lot))
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

/** Releases chats; a chat that was taken again in the meantime has another epoch and stays. */
export async function releaseChats(db: Db, kernel: string, chats: readonly OwnedChat[]): Promise<void> {
  for (const lot of toBatches(chats)) {
    const pairs = sql.join(lot.map(({ chat_id, epoch }) => sql`(${chat_id}, ${epoch}::bigint)`));
    await sql`update chats set owner = null where owner = ${kernel} and (id, epoch) in (${pairs})`.execute(
      db,
    );
  }
}

const listChatIds = (chats: readonly OwnedChat[]): string[] => chats.map(({ chat_id }) => chat_id);

function toBatches<Each>(all: readonly Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, n) =>
    all.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );
}
