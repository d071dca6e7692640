/** The files of a ZIP archive in memory, as many and as large as the limits allow. Nothing is written anywhere. */
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type BookLimits, BookProblem } from './limits.ts';

export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: BookLimits;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: BookLimits) {
    this.#zip = zip;
    this.#entries = entries;
    this.#limits = limits;
  }

  /** Reads the directory. @throws BookProblem where it is broken, has too many files, or a name that leads out of it */
  static async open(bytes: Uint8Array, limits: BookLimits): Promise<ZipArchive> {
    try {
      const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        lazyEntries: true,
      });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= limits.entries) {
          throw new BookProblem(`holds more than ${limits.entries} files`);
        }
        // The first of two files of the same name counts.
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      }
      return new ZipArchive(zip, entries, limits);
    } catch (error) {
      throw problem(error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Unpacks a file; undefined where there is none of this name. @throws BookProblem */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted()) throw new BookProblem('is protected by a password');
    const { entry_bytes, unpacked_bytes } = this.#limits;
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      // Bytes are counted as they come, because the sizes in the archive may be lies.
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        size += chunk.length;
        this.#unpacked += chunk.length;
        if (size > entry_bytes) throw new BookProblem(`holds a file of more than ${entry_bytes} bytes`);
        if (this.#unpacked > unpacked_bytes) {
          throw new BookProblem(`has more than ${unpacked_bytes} bytes when it is unpacked`);
        }
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch (error) {
      throw problem(error);
    }
  }
}

const problem = (error: unknown): BookProblem =>
  error instanceof BookProblem
    ? error
    : new BookProblem(`is a broken archive (${(error as Error).message.slice(0, 200)})`, { cause: error });
