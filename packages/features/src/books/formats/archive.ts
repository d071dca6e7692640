/** Reads the files of a ZIP archive in memory, within the limits for number and size. Writes no files. */
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type BookLimits, BookProblem } from '../limits.ts';

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

  /**
   * Reads the directory. @throws BookProblem if it is broken, has too many files, or has a name that points outside of
   * it
   */
  static async open(bytes: Uint8Array, limits: BookLimits): Promise<ZipArchive> {
    try {
      const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        lazyEntries: true,
      });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= limits.entries) {
          throw new BookProblem(`contains more than ${limits.entries} files`);
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

  /** Unpacks a file; undefined if no file has this name. @throws BookProblem */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted()) throw new BookProblem('is password-protected');
    const { entry_bytes, unpacked_bytes } = this.#limits;
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      // The bytes are counted as they arrive, because the sizes in the archive may be false.
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        size += chunk.length;
        this.#unpacked += chunk.length;
        if (size > entry_bytes) throw new BookProblem(`contains a file larger than ${entry_bytes} bytes`);
        if (this.#unpacked > unpacked_bytes) {
          throw new BookProblem(`is larger than ${unpacked_bytes} bytes when unpacked`);
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
    : new BookProblem(`is a corrupt archive (${(error as Error).message.slice(0, 200)})`, { cause: error });
