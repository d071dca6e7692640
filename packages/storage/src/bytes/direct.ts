/** Bytes as they lie, past the cache: for those who read each of them once. */
import { Readable } from 'node:stream';
import type { BytePlaces } from './places.ts';
import type { BytesRow } from './where.ts';

/** All bytes; undefined where they are gone. The caller has to end the stream. @param row absent: in the data directory */
export async function bytesAt(
  places: BytePlaces,
  { id, name }: { id: string; name: string | undefined },
  row: Pick<BytesRow, 'store' | 'size'> | undefined,
): Promise<Readable | undefined> {
  const { store, size } = row ?? { store: 'data_dir', size: null };
  // A range of nothing cannot be asked for.
  if (store !== 'data_dir' && size === 0) return Readable.from([]);
  return await places.of(store).stream(id, name);
}
