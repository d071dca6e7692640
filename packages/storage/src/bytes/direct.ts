/** Reads bytes without the cache, for callers that read each of them once. */
import { Readable } from 'node:stream';
import type { ByteBackends } from './backends.ts';
import type { BytesRow } from './locations.ts';

/**
 * Returns all bytes; undefined if they are missing. The caller must end the stream.
 * @param row absent: in the data directory
 */
export async function bytesAt(
  places: ByteBackends,
  { id, name }: { id: string; name: string | undefined },
  row: Pick<BytesRow, 'store' | 'size'> | undefined,
): Promise<Readable | undefined> {
  const { store, size } = row ?? { store: 'data_dir', size: null };
  // An empty range cannot be requested.
  if (store !== 'data_dir' && size === 0) return Readable.from([]);
  return await places.of(store).stream(id, name);
}
