/** Compiles the queries of every turn once per database, and then runs them with other values. */
import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely';
import type { Db } from './schema.ts';

/** A placeholder for a value while its query is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a function that runs a query with values. Undefined values count as missing, as everywhere in Kysely.
 * @param build function that creates the query; called once for each set of names, with placeholders for the values. It
 * may pass them to the query and check which ones exist, but not read them.
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
