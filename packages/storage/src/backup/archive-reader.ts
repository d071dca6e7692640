/** Reads an archive part by part, and verifies that its content is unchanged. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { StoreError } from '../database/store-error.ts';
import { PUSH_KEY } from '../push/push-key.ts';
import type { Folder } from '../tables/schema.ts';
import { readBounded, readLines, readShortText } from './bounded.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  parseEntryPath,
  type Row,
} from './format.ts';
import { isArchived } from './tables.ts';
import { readTar, type TarEntry } from './tar.ts';

/** Maximum number of entries before their checksums: more than a backup writes. */
const MAX_UNPROVEN = 10_000;

export type ArchivePart =
  | { kind: 'head'; head: Head }
  | { kind: 'bytes'; folder: Folder; id: string; name: string | undefined; content: AsyncIterable<Buffer> }
  | { kind: typeof PUSH_KEY; text: string }
  /** Some rows of a table. */
  | { kind: 'table'; table: string; rows: readonly Row[] }
  /** The last part: only now the whole archive is known to be intact. */
  | { kind: 'end'; manifest: Manifest };

/**
 * Yields the head first and the end last. Content is verified once the generator has moved past it.
 * @throws StoreError if the file is not an archive, or is damaged or cut off
 */
export async function* readArchive(path: string): AsyncGenerator<ArchivePart> {
  const proof = new Proof();
  let head: Head | undefined;
  let bytes: Readable | undefined;
  const failure = (cause: unknown): StoreError => {
    if (cause instanceof StoreError) return cause;
    const { message, syscall } = cause as NodeJS.ErrnoException;
    if (syscall !== undefined) return new StoreError(`${path} can't be read: ${message}.`, { cause });
    return new StoreError(
      head === undefined
        ? `${path} is no backup of a chat-kernel, or its beginning is damaged: ${message}.`
        : `The backup ${path} is damaged: ${message}.`,
      { cause },
    );
  };
  try {
    const { size } = await stat(path);
    // An error ends the loop below, which reports it.
    bytes = pipeline(createReadStream(path), createZstdDecompress(), () => {});
    for await (const plain of readTar(readBounded(bytes, size))) {
      const entry = proof.watched(plain);
      for await (const part of readArchiveParts(entry, proof)) {
        if (part.kind === 'head') head = part.head;
        else if (head === undefined) throw new Error('it has no head');
        yield part.kind === 'bytes' ? { ...part, content: failingAs(part.content, failure) } : part;
        if (part.kind === 'end') return;
      }
      for await (const _ of entry.content) {
        // The checksum also needs the bytes that the caller skipped.
      }
    }
    throw new Error('it ends too early');
  } catch (cause) {
    throw failure(cause);
  } finally {
    bytes?.destroy();
  }
}

/** An entry that is only for the verification has no parts, and a table has one for some rows each. */
async function* readArchiveParts({ path, content }: TarEntry, proof: Proof): AsyncGenerator<ArchivePart> {
  const entryPath = parseEntryPath(path);
  switch (entryPath?.kind) {
    case undefined:
    case null:
      throw new Error(`no archive has an entry ${JSON.stringify(path.slice(0, 200))}`);
    case HEAD:
      return yield { kind: 'head', head: headIn(await readShortText(content, path)) };
    case PUSH_KEY:
      return yield { kind: PUSH_KEY, text: await readShortText(content, path) };
    case 'sums':
      return proof.compare(await readShortText(content, path));
    case 'bytes':
      return yield { ...entryPath, content };
    case 'table': {
      const { table } = entryPath;
      if (!isArchived(table)) throw new Error(`this chat-kernel knows no table ${JSON.stringify(table)}`);
      for await (const lines of readLines(content, path)) {
        const rows = lines.map((line): Row => JSON.parse(line));
        proof.countRows(table, rows.length);
        yield { ...entryPath, rows };
      }
      return;
    }
    case MANIFEST: {
      const manifest: Manifest = JSON.parse(await readShortText(content, path));
      proof.end(manifest);
      yield { kind: 'end', manifest };
    }
  }
}

/** @throws StoreError if a newer program created it */
function headIn(json: string): Head {
  const head: Head = JSON.parse(json);
  if (head.format !== FORMAT) throw new Error('its head names another format');
  if (head.version > FORMAT_VERSION) {
    throw new StoreError(
      `The backup has the format ${head.version}, and this chat-kernel knows formats up to ${FORMAT_VERSION}: ` +
        'use the newer chat-kernel that made it.',
    );
  }
  return head;
}

/** Compares the entries with the checksums and counts of the archive. */
class Proof {
  readonly #sumOfSums = createHash('sha256');
  /** The checksums of the entries since the last checksum file, in their order. */
  #sums: (() => string)[] = [];
  readonly #rows = new Map<string, number>();
  readonly #bytes = { images: 0, files: 0 };

  /** Returns the entry; its checksum is computed while its content is read. */
  watched(entry: TarEntry): TarEntry {
    const entryPath = parseEntryPath(entry.path);
    if (entryPath?.kind === 'sums' || entryPath?.kind === MANIFEST) return entry;
    if (entryPath?.kind === 'bytes') this.#bytes[entryPath.folder]++;
    if (this.#sums.length >= MAX_UNPROVEN)
      throw new Error(`it has more than ${MAX_UNPROVEN} entries without checksums`);
    const hash = createHash('sha256');
    this.#sums.push(() => `${hash.digest('hex')}  ${entry.path}\n`);
    return { ...entry, content: hashed(entry.content, hash) };
  }

  countRows(table: string, count: number): void {
    this.#rows.set(table, (this.#rows.get(table) ?? 0) + count);
  }

  compare(sums: string): void {
    this.#sumOfSums.update(sums);
    const found = this.#sums.map(sum => sum());
    this.#sums = [];
    if (found.join('') === sums) return;
    const expected = new Set(sums.split('\n'));
    const wrong = found.find(line => !expected.has(line.trimEnd()));
    throw new Error(
      wrong === undefined
        ? 'a part is missing'
        : `the checksum of ${wrong.slice(66).trimEnd()} does not match`,
    );
  }

  end({ tables, bytes, sums }: Manifest): void {
    if (this.#sums.length > 0 || this.#sumOfSums.digest('hex') !== sums)
      throw new Error('its checksums are not those of its manifest');
    const counted = JSON.stringify(Object.fromEntries([...this.#rows].sort()));
    const wanted = Object.entries(tables).filter(([, count]) => count > 0);
    const isWhole =
      counted === JSON.stringify(Object.fromEntries(wanted.sort())) &&
      this.#bytes.images === bytes.images.count &&
      this.#bytes.files === bytes.files.count;
    if (!isWhole) throw new Error('it does not hold what its manifest names');
  }
}

/** Yields the same pieces and adds each to the checksum. */
function hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncIterable<Buffer> {
  const pieces = content[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = await pieces.next();
        if (!result.done) hash.update(result.value);
        return result;
      },
    }),
  };
}

/** Yields the same pieces. Failures are reported with the text of `failure`. */
function failingAs(
  content: AsyncIterable<Buffer>,
  failure: (cause: unknown) => StoreError,
): AsyncIterable<Buffer> {
  const pieces = content[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          return await pieces.next();
        } catch (cause) {
          throw failure(cause);
        }
      },
    }),
  };
}
