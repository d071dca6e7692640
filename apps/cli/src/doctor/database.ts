/** Checks that the database opens, is undamaged, and has a supported version. */
import type { Settings } from '@chat-kernel/protocol';
import { inspectStore } from '@chat-kernel/storage';
import { type Finding, ok, problem, warning } from './finding.ts';

const RESTORE =
  'stop the server, copy the file, and restore a backup into an empty folder (docs/operations.md)';
/** Bytes. */
const LARGE_LOG = 64 * 1024 ** 2;

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

export async function* checkDatabase({
  data_dir,
  database: { url },
}: Pick<Settings, 'data_dir' | 'database'>): AsyncGenerator<Finding> {
  try {
    const { name, size, schema, known, in_use, damage, lost, unreadable, log_size } = await inspectStore({
      data_dir,
      url,
    });
    if (damage !== null) {
      yield problem('database', `${name} is damaged: ${damage}`, RESTORE);
    } else if (unreadable.length > 0) {
      const tables = unreadable.map(
        ({ table, count, ids }) => `${table} ${count} (${ids.join(', ')}${count > ids.length ? ', …' : ''})`,
      );
      yield problem('database', `${name} has damaged rows: ${tables.join('; ')}`, RESTORE);
    } else if (lost !== null) {
      yield problem(
        'database',
        `${name} is missing or empty, but ${data_dir} was used before: ${lost}`,
        'put the file back, or restore a backup into an empty folder (chat-kernel restore FILE --data DIR)',
      );
    } else if (schema !== null && schema > known) {
      yield problem(
        'database',
        `${name} has schema version ${schema}; this program supports versions up to ${known}`,
        'start the newer chat-kernel, or restore a backup from before the migration',
      );
    } else {
      const version =
        schema === null
          ? 'empty'
          : schema === known
            ? `schema ${schema}`
            : `schema ${schema}, upgraded to ${known} at the next start`;
      const weight = size === null ? '' : `, ${mebibytes(size)}`;
      yield ok('database', `${name}: ${version}${weight}${in_use ? ', in use by a server' : ''}`);
    }
    if (log_size !== null && log_size > LARGE_LOG) {
      yield warning(
        'database',
        `the write-ahead log of the database has ${mebibytes(log_size)} and cannot shrink, because a program keeps reading`,
        'close programs that read the database, such as a sqlite3 shell with an open transaction',
      );
    }
  } catch (error) {
    yield problem(
      'database',
      (error as Error).message,
      url === null
        ? 'check the owner of the file and the health of the disk'
        : 'check that the database server is running and database.url is correct',
    );
  }
}
