/** Writes an archive, of which no more than a part is in memory. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { sumsPart } from './format.ts';
import { END_OF_TAR, tarHeader, tarPadding } from './tar-write.ts';

/** Entries whose sums are kept before they are written. */
const SUMS = 500;
/** Bytes that go to the compression at once. */
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

  /** @param made_at the time that all entries bear, in milliseconds since 1970 */
  constructor(path: string, made_at: number) {
    this.#modified = Math.floor(made_at / 1000);
    this.#written = pipeline(this.#zstd, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    // Each write and the end report it.
    this.#written.catch(() => {});
  }

  /** @param size bytes of the content; fewer or more of them are an error */
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

  /** Writes the sums that are left. @returns the sum of all entries with sums */
  async endSums(): Promise<string> {
    await this.#writeSums();
    return this.#sumOfSums.digest('hex');
  }

  /** Resolves when all is on the disk. */
  async end(): Promise<void> {
    await this.#write(END_OF_TAR);
    await this.#flush();
    this.#zstd.end();
    await this.#written;
  }

  /** Gives up; the file is left as it is. Never rejects. */
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

  /** Small pieces go to the compression together. */
  async #write(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= PIECE) await this.#flush();
  }

  /** Resolves when the compression has taken it, so that no more than it can take is in memory. */
  #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return new Promise((resolve, reject) => {
      this.#zstd.write(bytes, error => {
        if (!error) resolve();
        // A full disk ends the compression; the reason is that of the file.
        else this.#written.then(() => reject(error), reject);
      });
    });
  }
}
