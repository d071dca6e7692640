/** The database: whether it can be opened, is undamaged, and has a version that this program knows. */
import type { Settings } from '@chat-kernel/protocol';
import { inspectStore } from '@chat-kernel/storage';
import { type Finding, ok, problem } from './finding.ts';

export async function* checkDatabase({
  data_dir,
  database: { url },
}: Pick<Settings, 'data_dir' | 'database'>): AsyncGenerator<Finding> {
  try {
    const { name, size, schema, known, in_use, damage, lost } = await inspectStore({ data_dir, url });
    if (damage !== null) {
      yield problem(
        'database',
        `${name} is damaged: ${damage}`,
        'stop the kernel, keep a copy of the file, and restore a backup into an empty folder (docs/operations.md)',
      );
    } else if (lost !== null) {
      yield problem(
        'database',
        `${name} is missing or empty, though ${data_dir} has been used before: ${lost}`,
        'put it back, or restore a backup into an empty folder (chat-kernel restore FILE --data DIR)',
      );
    } else if (schema !== null && schema > known) {
      yield problem(
        'database',
        `${name} has schema version ${schema}; this program knows versions up to ${known}`,
        'start the newer chat-kernel, or restore a backup that was made before the migration',
      );
    } else {
      const version =
        schema === null
          ? 'empty'
          : schema === known
            ? `schema ${schema}`
            : `schema ${schema}, which the next start brings to ${known}`;
      const weight = size === null ? '' : `, ${(size / 1024 ** 2).toFixed(1)} MiB`;
      yield ok('database', `${name}: ${version}${weight}${in_use ? ', in use by a kernel' : ''}`);
    }
  } catch (error) {
    yield problem(
      'database',
      (error as Error).message,
      url === null
        ? 'see who owns the file, and whether its disk is well'
        : 'see that the server runs and database.url is right',
    );
  }
}
