/** Lists the engines: SQLite, and one for each kind of server that the setting `database.url` supports. */
import type { Log } from '@chat-kernel/kernel';
import { DATABASE_SERVERS, type DatabaseServer } from '@chat-kernel/protocol';
import type { Database } from './database.ts';
import type { Engine, InspectedDatabase, LookAtRows, ReadDatabase, StorePlace } from './engine.ts';
import { sqlite } from './sqlite.ts';

/** Each is loaded on demand, together with its driver package. */
const SERVERS: Readonly<Record<DatabaseServer, () => Promise<Engine<string>>>> = {
  postgres: async () => (await import('./postgres.ts')).postgres,
};

export const openDatabase = async ({ url, ...place }: StorePlace, log: Log): Promise<Database> =>
  url === null ? sqlite.open({ ...place, url }, log) : (await serverAt(url)).open({ ...place, url }, log);

export const inspectDatabase = async (
  { url, ...place }: StorePlace,
  look: LookAtRows,
): Promise<InspectedDatabase> =>
  url === null
    ? sqlite.inspect({ ...place, url }, look)
    : (await serverAt(url)).inspect({ ...place, url }, look);

export const readDatabase = async ({ url, ...place }: StorePlace): Promise<ReadDatabase> =>
  url === null ? sqlite.read({ ...place, url }) : (await serverAt(url)).read({ ...place, url });

/** Returns the name of the engine, as in `database.url`. */
export const engineName = (url: string | null): string =>
  url === null ? 'sqlite' : (nameOfServer(url) ?? 'postgres');

function serverAt(url: string): Promise<Engine<string>> {
  // The settings reject all other addresses; an invalid one fails when it is opened.
  return SERVERS[nameOfServer(url) ?? 'postgres']();
}

function nameOfServer(url: string): DatabaseServer | undefined {
  const names = Object.keys(SERVERS) as DatabaseServer[];
  return names.find(name => DATABASE_SERVERS[name].test(url));
}
