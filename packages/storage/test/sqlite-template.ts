/**
 * Provides the tables of this version as a SQLite file, like the template of Postgres (postgres.ts): creating them
 * again would take most of the time of most tests. First starts, restores and older versions have their own tests.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inMemory } from '../../../test/harness/in-memory.ts';
import { openDatabase } from '../src/database/engines.ts';
import { migrate } from '../src/migrations/migrate.ts';

const FILE = 'chat-kernel.db';
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

let template: Promise<Buffer> | undefined;

/** Copies a database without rows into a data directory that has none. */
export async function createTables(dataDir: string): Promise<void> {
  template ??= makeTemplate();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, FILE), await template, { mode: 0o600, flag: 'wx' });
}

async function makeTemplate(): Promise<Buffer> {
  const data_dir = mkdtempSync(join(inMemory(), 'chat-kernel-template-'));
  try {
    const database = await openDatabase({ data_dir, url: null }, QUIET);
    try {
      await migrate(database, QUIET);
    } finally {
      await database.close();
    }
    return readFileSync(join(data_dir, FILE));
  } finally {
    rmSync(data_dir, { recursive: true });
  }
}
