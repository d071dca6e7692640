/** THE list of engines: SQLite, and one for each kind of server that the setting `database.url` takes. */
import type { Log } from '@chat-kernel/kernel';
import { DATABASE_SERVERS, type DatabaseServer } from '@chat-kernel/protocol';
import type { Database } from './database.ts';
import type { Engine, InspectedDatabase, ReadDatabase, StorePlace } from './engine.ts';
import { sqlite } from './sqlite.ts';

/** Each is loaded where an address names it, with the package that speaks to it. */
const SERVERS: Readonly<Record<DatabaseServer, () => Promise<Engine<string>>>> = {
  postgres: async () => (await import('./postgres.ts')).postgres,
};

export const openDatabase = async ({ url, ...place }: StorePlace, log: Log): Promise<Database> =>
  url === null ? sqlite.open({ ...place, url }, log) : (await serverAt(url)).open({ ...place, url }, log);

export const inspectDatabase = async ({ url, ...place }: StorePlace): Promise<InspectedDatabase> =>
  url === null ? sqlite.inspect({ ...place, url }) : (await serverAt(url)).inspect({ ...place, url });

export const readDatabase = async ({ url, ...place }: StorePlace): Promise<ReadDatabase> =>
  url === null ? sqlite.read({ ...place, url }) : (await serverAt(url)).read({ ...place, url });

/** The name of the engine, as in `database.url`. */
export const engineName = (url: string | null): string =>
  url === null ? 'sqlite' : (nameOfServer(url) ?? 'postgres');

function serverAt(url: string): Promise<Engine<string>> {
  // The settings let no other address pass; what is none says so when it is opened.
  return SERVERS[nameOfServer(url) ?? 'postgres']();
}

function nameOfServer(url: string): DatabaseServer | undefined {
  const names = Object.keys(SERVERS) as DatabaseServer[];
  return names.find(name => DATABASE_SERVERS[name].test(url));
}
