/** The database: SQLite in the data directory, or a server with an address. */
import { z } from 'zod';
import { secret } from './secret.ts';

/** THE list of database servers, by the beginnings of their addresses. Storage has an engine for each, or does not compile. */
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
      .describe('Null = SQLite in data_dir; postgres://... = Postgres.'),
  })
  .prefault({});
