/** Uploaded files, and the images of all chats. An id is the key: a client that knows one may have the bytes. */
import type { Readable } from 'node:stream';
import { KernelError } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { safeFileName } from '../base/file-name.ts';
import { isId } from '../base/ids.ts';
import { type Clock, type FileRecord, type Store, timestamp } from '../ports/index.ts';

export class Files {
  readonly #store: Pick<Store, 'files' | 'images'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'files' | 'images'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Stores an upload under the name that it was given; U+0000 is left out, which no database keeps. Where `bytes` throw,
   * nothing of it stays.
   * @throws whatever `bytes` throw
   */
  save(
    { name, media_type }: { name: string; media_type: string },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<FileRecord> {
    const given = name.toWellFormed().replaceAll('\0', '') || safeFileName('', media_type);
    const file = { id: uuidv4(), name: given, media_type, created_at: timestamp(this.#clock) };
    return this.#store.files.save(file, bytes);
  }

  /** @throws KernelError not_found */
  async file(id: string): Promise<FileRecord> {
    const file = isId(id) ? await this.#store.files.get(id) : undefined;
    if (file === undefined) throw new KernelError('not_found', 'There is no such file.');
    return file;
  }

  /**
   * The bytes of a file, all of them or a range, of which `end` is the last byte. The caller has to end the stream.
   * @throws KernelError not_found
   */
  async bytes(file: FileRecord, range?: { start: number; end: number }): Promise<Readable> {
    const bytes = await this.#store.files.read(file, range);
    if (bytes === undefined) throw new KernelError('not_found', 'The bytes of this file are gone.');
    return bytes;
  }

  /** @throws KernelError not_found */
  async image(id: string): Promise<{ media_type: string; bytes: Uint8Array }> {
    const image = isId(id) ? await this.#store.images.get(id) : undefined;
    if (image === undefined) throw new KernelError('not_found', 'There is no such image.');
    return image;
  }
}
