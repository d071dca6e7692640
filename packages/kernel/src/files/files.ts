/**
 * Manages uploaded files, and the images of all chats. The id is the key: a client that knows it may read the bytes.
 */
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
   * Stores an upload under the given name, without U+0000, which databases cannot store. If `bytes` throws, nothing is
   * stored.
   * @throws whatever `bytes` throws
   */
  save(
    { name, media_type }: { name: string; media_type: string },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<FileRecord> {
    const displayName = name.toWellFormed().replaceAll('\0', '') || safeFileName('', media_type);
    const file = { id: uuidv4(), name: displayName, media_type, created_at: timestamp(this.#clock) };
    return this.#store.files.save(file, bytes);
  }

  /** @throws KernelError not_found */
  async file(id: string): Promise<FileRecord> {
    const file = isId(id) ? await this.#store.files.get(id) : undefined;
    if (file === undefined) throw new KernelError('not_found', 'There is no file with this id.');
    return file;
  }

  /**
   * The bytes of a file, all of them or a range, of which `end` is the last byte. The caller must end the stream.
   * @throws KernelError not_found
   */
  async bytes(file: FileRecord, range?: { start: number; end: number }): Promise<Readable> {
    const bytes = await this.#store.files.read(file, range);
    if (bytes === undefined) throw new KernelError('not_found', 'The content of this file was deleted.');
    return bytes;
  }

  /** @throws KernelError not_found */
  async image(id: string): Promise<{ media_type: string; bytes: Uint8Array }> {
    const image = isId(id) ? await this.#store.images.get(id) : undefined;
    if (image === undefined) throw new KernelError('not_found', 'There is no image with this id.');
    return image;
  }
}
