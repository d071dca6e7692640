/** Runs the suite of the store over SQLite and over a real Postgres. */
import { overEachDatabase } from './each-database.ts';
import { storeSuite } from './store.suite.ts';

await overEachDatabase('The store', storeSuite);
