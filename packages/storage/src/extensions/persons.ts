/**
 * Stores persons and their names on surfaces. Names and external ids come from outside and are compared, so they are
 * stored as JSON: it preserves every character in every database.
 */
import type { PersonChanges, PersonRecord, PersonStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { type ColumnKinds, decode } from '../tables/decode.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { encode, json } from '../tables/text.ts';
import { decodeReadable, reportUnreadable } from '../tables/unreadable.ts';

const COLUMNS: ColumnKinds<Omit<PersonRecord, 'external_ids'>> = {
  name: 'json',
  master: 'flag',
  trusted: 'flag',
};
type ExternalId = PersonRecord['external_ids'][number];

export const personStore = (transactions: Transactions): PersonStore => ({
  list: () => transactions.read(listPersons),
  get: id => transactions.read(db => readPerson(db, id)),
  resolve: fresh => transactions.write(db => resolvePerson(db, fresh)),
  update: (id, changes) => transactions.write(db => updatePerson(db, id, changes)),
  merge: (id, into) => transactions.write(db => mergePersons(db, id, into)),
});

/** Oldest first. */
async function listPersons(db: Db): Promise<PersonRecord[]> {
  const rows = await db.selectFrom('persons').selectAll().orderBy('created_at').orderBy('id').execute();
  const ids = await orderedIds(db).execute();
  const idsByPerson = Map.groupBy(ids, ({ person_id }) => person_id);
  return rows.map(row => decodePerson(row, idsByPerson.get(row.id) ?? []));
}

async function readPerson(db: Db, id: string): Promise<PersonRecord | undefined> {
  const row = await db.selectFrom('persons').selectAll().where('id', '=', id).executeTakeFirst();
  return row && decodePerson(row, await orderedIds(db).where('person_id', '=', id).execute());
}

/** Returns the person with the first known id of `fresh`; otherwise stores `fresh`. */
async function resolvePerson(db: Db, fresh: PersonRecord): Promise<PersonRecord> {
  const known = await findByExternalIds(db, fresh.external_ids);
  if (known) return known;
  const { external_ids, ...person } = fresh;
  await db
    .insertInto('persons')
    .values(encode(person, ['name']))
    .execute();
  for (const external of external_ids) {
    // Waits for another transaction that adds the same id.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('person_ids')
      .values({ ...encodeKey(external), person_id: fresh.id })
      .onConflict(conflict => conflict.columns(['surface', 'external_id']).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) continue;
    await db.deleteFrom('persons').where('id', '=', fresh.id).execute();
    return (await findByExternalIds(db, [external])) as PersonRecord;
  }
  return (await readPerson(db, fresh.id)) as PersonRecord;
}

async function updatePerson(db: Db, id: string, changes: PersonChanges): Promise<PersonRecord | undefined> {
  await db
    .updateTable('persons')
    // The id is set to itself: an update needs at least one column.
    .set({ id, ...encode(changes, ['name']) })
    .where('id', '=', id)
    .execute();
  return readPerson(db, id);
}

/**
 * `into` keeps its fields, and takes the name of the other if it has none. Merging a person into itself changes nothing.
 */
async function mergePersons(db: Db, id: string, into: string): Promise<PersonRecord | undefined> {
  // Locks both rows, always in the same order, so that two merges cannot deadlock.
  const [first, second] = [id, into].sort() as [string, string];
  const both = [await updatePerson(db, first, {}), await updatePerson(db, second, {})];
  const from = both.find(person => person?.id === id);
  const target = both.find(person => person?.id === into);
  if (from === undefined || target === undefined) return undefined;
  if (id === into) return target;
  await db.updateTable('person_ids').set({ person_id: into }).where('person_id', '=', id).execute();
  await db.deleteFrom('persons').where('id', '=', id).execute();
  return updatePerson(db, into, { name: target.name ?? from.name });
}

async function findByExternalIds(
  db: Db,
  external_ids: readonly ExternalId[],
): Promise<PersonRecord | undefined> {
  for (const external of external_ids) {
    const { surface, external_id } = encodeKey(external);
    // A single statement, because persons may be merged concurrently.
    const row = await db
      .selectFrom('person_ids')
      .innerJoin('persons', 'persons.id', 'person_ids.person_id')
      .selectAll('persons')
      .where('surface', '=', surface)
      .where('external_id', '=', external_id)
      .executeTakeFirst();
    if (row) return decodePerson(row, await orderedIds(db).where('person_id', '=', row.id).execute());
  }
  return undefined;
}

/** Sorted by surface and id, independent of the order of insertion. */
const orderedIds = (db: Db) =>
  db.selectFrom('person_ids').selectAll().orderBy('surface').orderBy('external_id');

const encodeKey = ({ surface, external_id }: ExternalId): ExternalId => ({
  surface: json(surface),
  external_id: json(external_id),
});

/** Leaves out a damaged name or external id: the person stays known by the others. */
function decodePerson(row: Schema['persons'], ids: readonly Schema['person_ids'][]): PersonRecord {
  const { created_at, ...person } = decode<Omit<PersonRecord, 'external_ids'>>(row, COLUMNS, () => {
    reportUnreadable('persons', row.id);
    return null;
  });
  const external_ids = decodeReadable(
    'person_ids',
    ids,
    ({ surface, external_id }) => ({
      surface: JSON.parse(surface),
      external_id: JSON.parse(external_id),
    }),
    ({ person_id }) => person_id,
  );
  return { ...person, external_ids, created_at };
}
