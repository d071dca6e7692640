/** Tests that a commit that fails takes nothing of the transactions that wait behind it on SQLite. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../src/tables/schema.ts';
import { Stage } from './stage.ts';

const stage = new Stage({ onPostgres: false });

test('stores the transactions behind a failed commit completely, or rejects them', async () => {
  await stage.store.close();
  await stage.withDatabase(async ({ db }) => {
    await sql`create table parents (id integer primary key)`.execute(db);
    await sql`create table children (parent references parents (id) deferrable initially deferred)`.execute(
      db,
    );
    await sql`create table parts (name text)`.execute(db);
    const write = (work: (db: Db) => Promise<unknown>) => db.transaction().execute(work);
    const failing = write(transaction => sql`insert into children values (1)`.execute(transaction));
    const names = ['a', 'b', 'c', 'd'];
    const writing = names.map(name =>
      write(async transaction => {
        await sql`insert into parts values (${name})`.execute(transaction);
        // Lets other work run.
        await new Promise(setImmediate);
        await sql`insert into parts values (${name})`.execute(transaction);
      }),
    );
    await expect(failing).rejects.toThrow('FOREIGN KEY');
    const written = await Promise.allSettled(writing);
    const { rows } = await sql<{ name: string }>`select name from parts order by name`.execute(db);
    const whole = names.filter((_, place) => written[place]!.status === 'fulfilled');
    expect(rows.map(({ name }) => name)).toEqual(whole.flatMap(name => [name, name]));
  });
});
