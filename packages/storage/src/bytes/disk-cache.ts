/**
 * Caches pieces of remote bytes on this machine's disk. Bytes never change, so a piece stays valid forever. Each piece
 * starts with its checksum, and one that a crash has damaged is fetched again.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Log } from '@chat-kernel/kernel';
import type { ByteRange } from './byte-store.ts';

/** Reads fetch whole pieces, of which one is in memory. */
const PIECE_BYTES = 2 * 1024 * 1024;
const SUM_BYTES = 4;

/** Remote bytes. `load` returns a range of them; undefined if they are deleted. */
interface Remote {
  id: string;
  size: number;
  load(range: ByteRange): Promise<Readable | undefined>;
}

export class DiskCache {
  readonly #directory: string;
  readonly #most: number;
  readonly #log: Log;
  /** Piece → its bytes on disk; least recently used first. */
  readonly #kept = new Map<string, number>();
  /** Pieces being fetched; concurrent readers share them. */
  readonly #coming = new Map<string, Promise<Buffer | undefined>>();
  #total = 0;
  #found: Promise<void> | undefined;

  /** @param most maximum bytes on the disk; 0 disables the cache */
  constructor(directory: string, most: number, log: Log) {
    this.#directory = directory;
    this.#most = most;
    this.#log = log;
  }

  /** Returns all bytes or a range of them; undefined if they are deleted. */
  async stream(remote: Remote, range?: ByteRange): Promise<Readable | undefined> {
    const { start, end } = range ?? { start: 0, end: remote.size - 1 };
    if (end < start) return Readable.from([]);
    this.#found ??= this.#find();
    await this.#found;
    const piece = async (n: number): Promise<Buffer | undefined> => {
      const whole = await this.#piece(remote, n);
      const offset = n * PIECE_BYTES;
      return whole?.subarray(Math.max(0, start - offset), end + 1 - offset);
    };
    let n = Math.floor(start / PIECE_BYTES);
    // Fetched immediately, so that a missing file is known before the response begins.
    const first = await piece(n);
    if (first === undefined) return undefined;
    return Readable.from(
      (async function* () {
        yield first;
        while (++n * PIECE_BYTES <= end) {
          const next = await piece(n);
          if (next === undefined) throw new Error(`The bytes ${remote.id} went away while they were read.`);
          yield next;
        }
      })(),
      { objectMode: false },
    );
  }

  /** Drops the pieces of deleted bytes. */
  async drop(id: string): Promise<void> {
    this.#found ??= this.#find();
    await this.#found;
    for (const name of [...this.#kept.keys()]) if (name.startsWith(`${id}.`)) await this.#evict(name);
  }

  #piece(remote: Remote, n: number): Promise<Buffer | undefined> {
    const name = `${remote.id}.${n}`;
    const coming = this.#coming.get(name) ?? this.#keptOrFetched(remote, n, name);
    this.#coming.set(name, coming);
    const over = () => void this.#coming.delete(name);
    coming.then(over, over);
    return coming;
  }

  async #keptOrFetched({ size, load }: Remote, n: number, name: string): Promise<Buffer | undefined> {
    const start = n * PIECE_BYTES;
    const end = Math.min(start + PIECE_BYTES, size) - 1;
    if (this.#kept.has(name)) {
      const kept = await this.#read(name, end + 1 - start);
      if (kept !== undefined) return kept;
      await this.#evict(name);
    }
    const stream = await load({ start, end });
    if (stream === undefined) return undefined;
    const piece = await buffer(stream);
    if (piece.length !== end + 1 - start)
      throw new Error(`${piece.length} bytes of ${name} came, where there should be ${end + 1 - start}.`);
    await this.#keep(name, piece);
    return piece;
  }

  /** Returns undefined if the piece is incomplete or no longer exists. */
  async #read(name: string, length: number): Promise<Buffer | undefined> {
    const path = this.#path(name);
    const file = await readFile(path).catch(() => undefined);
    if (file?.length !== SUM_BYTES + length) return undefined;
    const piece = file.subarray(SUM_BYTES);
    if (crc32(piece) !== file.readUInt32BE()) return undefined;
    this.#note(name, file.length);
    const now = new Date();
    // The next start sorts pieces by this time; no need to wait for it.
    utimes(path, now, now).catch(() => {});
    return piece;
  }

  /** Stores a piece. If the disk accepts nothing, the piece is only fetched again. */
  async #keep(name: string, piece: Buffer): Promise<void> {
    const bytes = SUM_BYTES + piece.length;
    if (bytes > this.#most) return;
    const path = this.#path(name);
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32BE(crc32(piece));
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.part`, Buffer.concat([sum, piece]), { mode: 0o600 });
      await rename(`${path}.part`, path);
      this.#note(name, bytes);
    } catch (error) {
      await rm(`${path}.part`, { force: true }).catch(() => {});
      this.#log.debug({ err: error }, 'A piece of a file could not be kept in the cache.');
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#most) break;
      await this.#evict(oldest);
    }
  }

  #note(name: string, bytes: number): void {
    this.#total += bytes - (this.#kept.get(name) ?? 0);
    this.#kept.delete(name);
    this.#kept.set(name, bytes);
  }

  async #evict(name: string): Promise<void> {
    this.#total -= this.#kept.get(name) ?? 0;
    this.#kept.delete(name);
    await rm(this.#path(name), { force: true }).catch(() => {});
  }

  /** Finds the pieces of earlier runs. */
  async #find(): Promise<void> {
    const entries = await readdir(this.#directory, { recursive: true, withFileTypes: true }).catch(() => []);
    const found: { name: string; bytes: number; used: number }[] = [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const file = entry.name.endsWith('.part') ? undefined : await stat(path).catch(() => undefined);
      if (file === undefined) await rm(path, { force: true }).catch(() => {});
      else found.push({ name: entry.name, bytes: file.size, used: file.mtimeMs });
    }
    for (const { name, bytes } of found.sort((a, b) => a.used - b.used)) this.#note(name, bytes);
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#most) break;
      await this.#evict(oldest);
    }
  }

  #path(name: string): string {
    return join(this.#directory, name.slice(0, 2), name);
  }
}
