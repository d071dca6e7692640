/** THE list of engines: SQLite, and one for each kind of server that the setting `database.url` takes. */
import type { Log } from '@chat-kernel/kernel';
import { DATABASE_SERVERS, type DatabaseServer } from '@chat-kernel/protocol';
import type { Database } from './database.ts';
import type { Engine, InspectedDatabase, StorePlace } from './engine.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

const SERVERS: Readonly<Record<DatabaseServer, Engine<string>>> = { postgres };

export const openDatabase = async ({ url, ...place }: StorePlace, log: Log): Promise<Database> =>
  url === null ? sqlite.open({ ...place, url }, log) : serverAt(url).open({ ...place, url }, log);

export const inspectDatabase = ({ url, ...place }: StorePlace): Promise<InspectedDatabase> =>
  url === null ? sqlite.inspect({ ...place, url }) : serverAt(url).inspect({ ...place, url });

function serverAt(url: string): Engine<string> {
  const names = Object.keys(SERVERS) as DatabaseServer[];
  // The settings let no other address pass; what is none says so when it is opened.
  return SERVERS[names.find(name => DATABASE_SERVERS[name].test(url)) ?? 'postgres'];
}
