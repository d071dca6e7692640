/** Writes an archive, of which only a part is in memory. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { sumsPart } from './format.ts';
import { END_OF_TAR, tarHeader, tarPadding } from './tar.ts';

/** Entries whose checksums are collected before they are written. */
const SUMS = 500;
/** Bytes that are passed to the compression together. */
const PIECE = 256 * 1024;

export class ArchiveWriter {
  readonly #modified: number;
  readonly #zstd = createZstdCompress();
  readonly #written: Promise<void>;
  readonly #sumOfSums = createHash('sha256');
  #sums: string[] = [];
  #sumParts = 0;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;

  /** @param made_at timestamp of all entries, in milliseconds since 1970 */
  constructor(path: string, made_at: number) {
    this.#modified = Math.floor(made_at / 1000);
    this.#written = pipeline(this.#zstd, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    // Each write and the end report this error.
    this.#written.catch(() => {});
  }

  /** @param size bytes of the content; fewer or more bytes are an error */
  async add(
    path: string,
    size: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const hash = createHash('sha256');
    let bytes = 0;
    await this.#write(tarHeader(path, size, this.#modified));
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      await this.#write(piece);
    }
    if (bytes !== size) throw new Error(`${path} changed while it was read: ${bytes} bytes of ${size}.`);
    await this.#write(tarPadding(size));
    this.#sums.push(`${hash.digest('hex')}  ${path}\n`);
    if (this.#sums.length >= SUMS) await this.#writeSums();
  }

  addText(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.add(path, bytes.length, [bytes]);
  }

  /** Writes the remaining checksums. @returns the checksum of all entries with checksums */
  async endSums(): Promise<string> {
    await this.#writeSums();
    return this.#sumOfSums.digest('hex');
  }

  /** Resolves when everything is on the disk. */
  async end(): Promise<void> {
    await this.#write(END_OF_TAR);
    await this.#flush();
    this.#zstd.end();
    await this.#written;
  }

  /** Aborts and leaves the file unchanged. Never rejects. */
  async abort(): Promise<void> {
    this.#zstd.destroy();
    await Promise.allSettled([this.#written]);
  }

  async #writeSums(): Promise<void> {
    if (this.#sums.length === 0) return;
    const text = Buffer.from(this.#sums.join(''));
    this.#sums = [];
    this.#sumOfSums.update(text);
    await this.#write(tarHeader(sumsPart(++this.#sumParts), text.length, this.#modified));
    await this.#write(text);
    await this.#write(tarPadding(text.length));
  }

  /** Collects small pieces for the compression. */
  async #write(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= PIECE) await this.#flush();
  }

  /** Resolves when the compression has accepted the bytes, so that no more than its buffer is in memory. */
  #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return new Promise((resolve, reject) => {
      this.#zstd.write(bytes, error => {
        if (!error) resolve();
        // A full disk ends the compression; report the error of the file as the reason.
        else this.#written.then(() => reject(error), reject);
      });
    });
  }
}
