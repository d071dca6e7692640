/** The queries of every turn are compiled once for each database, and run with other values afterwards. */
import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely';
import type { Db } from './schema.ts';

/** Stands for a value while its query is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a function that runs a query with values. Values that are undefined count as not there, as everywhere in
 * Kysely.
 * @param build makes the query. It is called once for each set of names, with stand-ins for the values: it may hand
 *   them to the query, and look at nothing but which are there.
 */
export function compiledOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const byDatabase = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Row>>>();
  return (db, values) => {
    const { adapter } = db.getExecutor();
    const queries = byDatabase.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    byDatabase.set(adapter, queries);
    const given = values as Record<string, unknown>;
    const names = Object.keys(given).filter(name => given[name] !== undefined);
    const key = names.join();
    let query = queries.get(key);
    if (query === undefined) {
      query = build(db, Object.fromEntries(names.map(name => [name, new Slot(name)])) as Values).compile();
      queries.set(key, query);
    }
    const parameters = query.parameters.map(value => (value instanceof Slot ? given[value.name] : value));
    return db.executeQuery({ ...query, parameters });
  };
}
