/**
 * Persons, and what surfaces call them. Names and external ids come from outside and are compared: as JSON they keep
 * each of their characters, in any database.
 */
import type { PersonChanges, PersonRecord, PersonStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { json } from '../tables/text.ts';

type ExternalId = PersonRecord['external_ids'][number];

export class SqlPersonStore implements PersonStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: PersonStore['list'] = () => this.#transactions.read(listPersons);

  get: PersonStore['get'] = id => this.#transactions.read(db => readPerson(db, id));

  resolve: PersonStore['resolve'] = fresh => this.#transactions.write(db => resolvePerson(db, fresh));

  update: PersonStore['update'] = (id, changes) =>
    this.#transactions.write(db => updatePerson(db, id, changes));

  merge: PersonStore['merge'] = (id, into) => this.#transactions.write(db => mergePersons(db, id, into));
}

/** The oldest first. */
async function listPersons(db: Db): Promise<PersonRecord[]> {
  const rows = await db.selectFrom('persons').selectAll().orderBy('created_at').orderBy('id').execute();
  const ids = await orderedIds(db).execute();
  const idsOf = Map.groupBy(ids, ({ person_id }) => person_id);
  return rows.map(row => decode(row, idsOf.get(row.id) ?? []));
}

async function readPerson(db: Db, id: string): Promise<PersonRecord | undefined> {
  const row = await db.selectFrom('persons').selectAll().where('id', '=', id).executeTakeFirst();
  return row && decode(row, await orderedIds(db).where('person_id', '=', id).execute());
}

/** The person of the first known id of `fresh`; else `fresh`, which is kept. */
async function resolvePerson(db: Db, fresh: PersonRecord): Promise<PersonRecord> {
  const known = await findCalled(db, fresh.external_ids);
  if (known) return known;
  const { external_ids, name, master, trusted, ...rest } = fresh;
  await db
    .insertInto('persons')
    .values({ ...rest, ...encode({ name, master, trusted }) })
    .execute();
  for (const external of external_ids) {
    // Waits for another transaction that adds the same id.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('person_ids')
      .values({ ...key(external), person_id: fresh.id })
      .onConflict(conflict => conflict.columns(['surface', 'external_id']).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) continue;
    await db.deleteFrom('persons').where('id', '=', fresh.id).execute();
    return (await findCalled(db, [external])) as PersonRecord;
  }
  return (await readPerson(db, fresh.id)) as PersonRecord;
}

async function updatePerson(db: Db, id: string, changes: PersonChanges): Promise<PersonRecord | undefined> {
  await db
    .updateTable('persons')
    // The id is set to itself: an update needs at least one column.
    .set({ id, ...encode(changes) })
    .where('id', '=', id)
    .execute();
  return readPerson(db, id);
}

/** `into` keeps its fields, and takes the name where it has none. Merged into itself, a person stays the same. */
async function mergePersons(db: Db, id: string, into: string): Promise<PersonRecord | undefined> {
  // Takes the locks of both rows, always in the same order, so that two merges can't wait for each other.
  const [first, second] = [id, into].sort() as [string, string];
  const there = [await updatePerson(db, first, {}), await updatePerson(db, second, {})];
  const from = there.find(person => person?.id === id);
  const target = there.find(person => person?.id === into);
  if (from === undefined || target === undefined) return undefined;
  if (id === into) return target;
  await db.updateTable('person_ids').set({ person_id: into }).where('person_id', '=', id).execute();
  await db.deleteFrom('persons').where('id', '=', id).execute();
  return updatePerson(db, into, { name: target.name ?? from.name });
}

async function findCalled(db: Db, external_ids: readonly ExternalId[]): Promise<PersonRecord | undefined> {
  for (const external of external_ids) {
    const { surface, external_id } = key(external);
    // A single statement, since persons may be merged meanwhile.
    const row = await db
      .selectFrom('person_ids')
      .innerJoin('persons', 'persons.id', 'person_ids.person_id')
      .selectAll('persons')
      .where('surface', '=', surface)
      .where('external_id', '=', external_id)
      .executeTakeFirst();
    if (row) return decode(row, await orderedIds(db).where('person_id', '=', row.id).execute());
  }
  return undefined;
}

/** By surface and id: an order that does not depend on which came first. */
const orderedIds = (db: Db) =>
  db.selectFrom('person_ids').selectAll().orderBy('surface').orderBy('external_id');

const key = ({ surface, external_id }: ExternalId): ExternalId => ({
  surface: json(surface),
  external_id: json(external_id),
});

function encode(changes: Required<PersonChanges>): Pick<Schema['persons'], keyof PersonChanges>;
function encode(changes: PersonChanges): Partial<Pick<Schema['persons'], keyof PersonChanges>>;
function encode({ name, master, trusted }: PersonChanges) {
  return {
    ...(name !== undefined && { name: json(name) }),
    ...(master !== undefined && { master: Number(master) }),
    ...(trusted !== undefined && { trusted: Number(trusted) }),
  };
}

function decode(
  { id, name, master, trusted, created_at }: Schema['persons'],
  ids: readonly Schema['person_ids'][],
): PersonRecord {
  return {
    id,
    name: name === null ? null : JSON.parse(name),
    master: master === 1,
    trusted: trusted === 1,
    external_ids: ids.map(({ surface, external_id }) => ({
      surface: JSON.parse(surface),
      external_id: JSON.parse(external_id),
    })),
    created_at,
  };
}
