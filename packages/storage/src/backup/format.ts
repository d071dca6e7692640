/**
 * What an archive is made of: a tar file in Zstandard, so that a person with `tar` and `sha256sum` can read it without
 * this program (docs/decisions/0025-an-archive-of-our-own.md). Its entries, in this order:
 *
 * - `backup.json`: the head
 * - `images/<2>/<id>` and `files/<2>/<id>/<name>`: bytes, as in the data directory
 * - `push-key.json`: the key by which push services know the kernel, where there is one
 * - `tables/<table>/<number>.jsonl`: rows, a JSON object a line by the names of its columns
 * - `manifest.json`: what there has to be in all
 *
 * Every now and then, and behind the last table, stands `sums/<number>.sha256`: the sums of all entries since the one
 * before, as `sha256sum` writes them.
 */
import { isByteId } from '../bytes/byte-files.ts';
import { PUSH_KEY } from '../push/push-key.ts';
import type { Folder } from '../tables/schema.ts';

export const FORMAT = 'chat-kernel-backup';
/** Raised where an older program could no longer read an archive. */
export const FORMAT_VERSION = 2;

export const FOLDERS: readonly Folder[] = ['images', 'files'];
export const HEAD = 'backup.json';
export const MANIFEST = 'manifest.json';

export interface Head {
  format: typeof FORMAT;
  version: number;
  /** Version of the tables. */
  schema: number;
  /** Name of the engine that it was made on: sqlite, postgres. */
  database: string;
  /** RFC 3339. */
  made_at: string;
}

export interface Manifest {
  /** Rows by table. */
  tables: Record<string, number>;
  /** `missing`: rows whose bytes were not on the disk any more when the archive was made. */
  bytes: Record<Folder, { count: number; size: number; missing: number }>;
  /** SHA-256 over all entries `sums/`, in hexadecimal. */
  sums: string;
}

/** A row by its columns. */
export type Row = Record<string, string | number | null>;

export const tablePart = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.jsonl`;
export const sumsPart = (number: number): string => `sums/${String(number).padStart(6, '0')}.sha256`;

/** Takes the name of an entry apart; null: an archive has none of this name. */
export function placeOf(path: string): EntryPlace | null {
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

/** Whether it names a file in its own folder; a slash has parted it from others already. */
const isName = (name: string): boolean => !['', '.', '..'].includes(name) && !name.includes('\0');
