/** Defines the settings of the database: SQLite in the data directory, or a server with an address. */
import { z } from 'zod';
import { secret } from './secret.ts';

/** All database servers, by URL prefix. The type of Storage requires an engine for each. */
export const DATABASE_SERVERS = {
  postgres: /^postgres(ql)?:\/\//,
} as const satisfies Record<string, RegExp>;
export type DatabaseServer = keyof typeof DATABASE_SERVERS;

const servers = Object.keys(DATABASE_SERVERS);
const addresses = new RegExp(
  Object.values(DATABASE_SERVERS)
    .map(({ source }) => source)
    .join('|'),
);

export const DatabaseSection = z
  .strictObject({
    url: secret(
      z.string().regex(addresses, `expected ${servers.map(server => `${server}://...`).join(' or ')}`),
    )
      .nullable()
      .default(null)
      .describe('Postgres URL (postgres://...). Null = SQLite in data_dir.'),
  })
  .prefault({});
