/**
 * The format of an archive: a tar file in Zstandard, which a user can read with `tar` and `sha256sum` without this
 * program (docs/decisions/0025-define-an-engine-independent-backup-archive.md). Its entries, in this order:
 *
 * - `backup.json`: the head
 * - `images/<2>/<id>` and `files/<2>/<id>/<name>`: bytes, as in the data directory
 * - `push-key.json`: the key that identifies the kernel to push services, if there is one
 * - `tables/<table>/<number>.jsonl`: rows, one JSON object per line with the names of the columns
 * - `manifest.json`: the expected totals
 *
 * At intervals, and after the last table, there is a `sums/<number>.sha256`: the checksums of all entries since the
 * previous one, in the format of `sha256sum`.
 */
import { isByteId } from '../bytes/byte-files.ts';
import { PUSH_KEY } from '../push/push-key.ts';
import type { Folder } from '../tables/schema.ts';

export const FORMAT = 'chat-kernel-backup';
/** Increased if older programs can no longer read the archives. */
export const FORMAT_VERSION = 2;

export const FOLDERS: readonly Folder[] = ['images', 'files'];
export const HEAD = 'backup.json';
export const MANIFEST = 'manifest.json';

export interface Head {
  format: typeof FORMAT;
  version: number;
  /** Version of the tables. */
  schema: number;
  /** Name of the engine of the backup's database: sqlite, postgres. */
  database: string;
  /** RFC 3339. */
  made_at: string;
}

export interface Manifest {
  /** Number of rows by table. */
  tables: Record<string, number>;
  /** `missing`: rows whose bytes had already been lost when the archive was created. */
  bytes: Record<Folder, { count: number; size: number; missing: number }>;
  /** SHA-256 of all `sums/` entries, in hexadecimal. */
  sums: string;
}

/** A row by its columns. */
export type Row = Record<string, string | number | null>;

export const tablePart = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.jsonl`;
export const sumsPart = (number: number): string => `sums/${String(number).padStart(6, '0')}.sha256`;

/** Parses the name of an entry; null if an archive has no such entry. */
export function parseEntryPath(path: string): EntryPlace | null {
  if (path === HEAD || path === MANIFEST || path === PUSH_KEY) return { kind: path };
  const [first, second = '', ...rest] = path.split('/');
  if (first === 'sums') return rest.length === 0 && SUMS.test(second) ? { kind: 'sums' } : null;
  if (first === 'tables') {
    return rest.length === 1 && PART.test(rest[0] ?? '') && TABLE.test(second)
      ? { kind: 'table', table: second }
      : null;
  }
  const [id = '', name, ...deeper] = rest;
  if (!isByteId(id) || second !== id.slice(0, 2) || deeper.length > 0) return null;
  if (first === 'images' && name === undefined) return { kind: 'bytes', folder: first, id, name };
  if (first === 'files' && name !== undefined && isName(name))
    return { kind: 'bytes', folder: first, id, name };
  return null;
}

type EntryPlace =
  | { kind: typeof HEAD | typeof MANIFEST | typeof PUSH_KEY | 'sums' }
  | { kind: 'table'; table: string }
  | { kind: 'bytes'; folder: Folder; id: string; name: string | undefined };

const SUMS = /^\d+\.sha256$/;
const PART = /^\d+\.jsonl$/;
const TABLE = /^[a-z_]+$/;

/** True for a valid file name within its own folder; the caller has already split the path at slashes. */
const isName = (name: string): boolean => !['', '.', '..'].includes(name) && !name.includes('\0');
