/** Reads an archive part by part, and proves on the way that it is what was written. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { StoreError } from '../database/store-error.ts';
import { PUSH_KEY } from '../push/push-key.ts';
import type { Folder } from '../tables/schema.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  placeOf,
  type Row,
} from './format.ts';
import { readTar, type TarEntry } from './tar-read.ts';

export type ArchivePart =
  | { kind: 'head'; head: Head }
  | { kind: 'bytes'; folder: Folder; id: string; name: string | undefined; content: AsyncIterable<Buffer> }
  | { kind: typeof PUSH_KEY; text: string }
  | { kind: 'table'; table: string; rows: readonly Row[] }
  /** The last one: only now all of the archive is known to be sound. */
  | { kind: 'end'; manifest: Manifest };

/**
 * Yields the head first and the end last. Content is proved once the generator has gone past it.
 * @throws StoreError where the file is no archive, or is damaged or cut off
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
    // An error ends the reading below; there is nobody else to tell.
    bytes = pipeline(createReadStream(path), createZstdDecompress(), () => {});
    for await (const plain of readTar(bytes)) {
      const entry = proof.watched(plain);
      const part = await partOf(entry, proof);
      if (part === undefined) continue;
      if (part.kind === 'head') head = part.head;
      else if (head === undefined) throw new Error('it has no head');
      yield part.kind === 'bytes' ? { ...part, content: failingAs(part.content, failure) } : part;
      if (part.kind === 'end') return;
      for await (const _ of entry.content) {
        // The sum needs the bytes that the caller did not want.
      }
    }
    throw new Error('it ends too early');
  } catch (cause) {
    throw failure(cause);
  } finally {
    bytes?.destroy();
  }
}

/** Undefined: the entry is for the proof alone. */
async function partOf(entry: TarEntry, proof: Proof): Promise<ArchivePart | undefined> {
  const place = placeOf(entry.path);
  switch (place?.kind) {
    case undefined:
    case null:
      throw new Error(`no archive has an entry ${JSON.stringify(entry.path)}`);
    case HEAD:
      return { kind: 'head', head: headIn(await text(entry.content)) };
    case PUSH_KEY:
      return { kind: PUSH_KEY, text: await text(entry.content) };
    case 'sums':
      proof.compare(await text(entry.content));
      return undefined;
    case 'bytes':
      return { ...place, content: entry.content };
    case 'table': {
      const lines = (await text(entry.content)).split('\n').slice(0, -1);
      const rows = lines.map((line): Row => JSON.parse(line));
      proof.countRows(place.table, rows.length);
      return { ...place, rows };
    }
    case MANIFEST: {
      const manifest: Manifest = JSON.parse(await text(entry.content));
      proof.end(manifest);
      return { kind: 'end', manifest };
    }
  }
}

/** @throws StoreError where a newer program made it */
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

/** Compares what was read with the sums and counts of the archive. */
class Proof {
  readonly #sumOfSums = createHash('sha256');
  /** Of the entries since the last sums, in their order. */
  #sums: (() => string)[] = [];
  readonly #rows = new Map<string, number>();
  readonly #bytes = { images: 0, files: 0 };

  /** The entry, whose sum is taken as its content is read. */
  watched(entry: TarEntry): TarEntry {
    const place = placeOf(entry.path);
    if (place?.kind === 'sums' || place?.kind === MANIFEST) return entry;
    if (place?.kind === 'bytes') this.#bytes[place.folder]++;
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

/** The same pieces, each of which goes into the sum. */
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

/** The same pieces. Whoever reads them is told of a failure in the words of `failure`. */
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
