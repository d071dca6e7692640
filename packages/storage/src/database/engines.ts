/** THE list of engines: SQLite, and one for each kind of server that the setting `database.url` takes. */
import type { Log } from '@chat-kernel/kernel';
import { DATABASE_SERVERS, type DatabaseServer } from '@chat-kernel/protocol';
import type { Database } from './database.ts';
import type { Engine, InspectedDatabase, ReadDatabase, StorePlace } from './engine.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

const SERVERS: Readonly<Record<DatabaseServer, Engine<string>>> = { postgres };

export const openDatabase = async ({ url, ...place }: StorePlace, log: Log): Promise<Database> =>
  url === null ? sqlite.open({ ...place, url }, log) : serverAt(url).open({ ...place, url }, log);

export const inspectDatabase = ({ url, ...place }: StorePlace): Promise<InspectedDatabase> =>
  url === null ? sqlite.inspect({ ...place, url }) : serverAt(url).inspect({ ...place, url });

export const readDatabase = async ({ url, ...place }: StorePlace): Promise<ReadDatabase> =>
  url === null ? sqlite.read({ ...place, url }) : serverAt(url).read({ ...place, url });

/** The name of the engine, as in `database.url`. */
export const engineName = (url: string | null): string =>
  url === null ? 'sqlite' : (nameOfServer(url) ?? 'postgres');

function serverAt(url: string): Engine<string> {
  // The settings let no other address pass; what is none says so when it is opened.
  return SERVERS[nameOfServer(url) ?? 'postgres'];
}

function nameOfServer(url: string): DatabaseServer | undefined {
  const names = Object.keys(SERVERS) as DatabaseServer[];
  return names.find(name => DATABASE_SERVERS[name].test(url));
}
