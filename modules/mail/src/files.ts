/** Files as attachments: those that the kernel has, by their ids, and those of the machine that a chat works on, by their paths. */
import { relative, resolve } from 'node:path';
import { KernelApiError, type KernelClient } from '@chat-kernel/module-sdk';
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import type { MailFile } from './outgoing.ts';
import type { MailSettings } from './settings.ts';

/** Most files that come with one mail. */
export const MOST_FILES = 20;
const PIECE_BYTES = 4 * 1024 * 1024;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** As the kernel writes them: alone, as `file:ID`, or in an address. */
const KERNEL_FILE = new RegExp(`^(?:file:|/files/|/images/)?(${UUID})$`, 'i');

/** A file that cannot be attached. The message is a sentence for whoever wanted it. */
export class NoFile extends Error {
  /** There is a file, and no room for it. */
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false } = {}) {
    super(message);
    this.tooLarge = tooLarge;
  }
}

/** The room for all files of a mail, in bytes: their text form is a third longer, and servers refuse what is too large. */
export const roomFor = ({ max_mail_bytes }: Pick<MailSettings, 'max_mail_bytes'>): number =>
  Math.floor(max_mail_bytes / 2);

/** `report.pdf (12.3 KB)` */
export const labelOf = ({ name, bytes }: MailFile): string => `${name} (${sizeForPeople(bytes.length)})`;

/** The files of one chat. */
export class ChatFiles {
  readonly #kernel: KernelClient;
  readonly #chatId: string;
  /** `any`: every file that may be read on the machine; `workdir`: those in the chat's directory; `none`: the kernel's alone. */
  readonly #paths: 'any' | 'workdir' | 'none';

  constructor(kernel: KernelClient, chatId: string, paths: 'any' | 'workdir' | 'none') {
    this.#kernel = kernel;
    this.#chatId = chatId;
    this.#paths = paths;
  }

  /**
   * Reads a file.
   * @param named its id, its address, or its path
   * @param room in bytes
   * @throws NoFile, and what the kernel's client throws where the kernel is away
   */
  async read(named: string, room: number): Promise<MailFile> {
    const id = KERNEL_FILE.exec(named)?.[1];
    try {
      return await (id === undefined ? this.#atPath(named, room) : this.#ofKernel(id, named, room));
    } catch (error) {
      if (!(error instanceof KernelApiError) || error.status >= 500 || error.status === 429) throw error;
      throw new NoFile(`${named} cannot be attached: ${error.detail}`);
    }
  }

  async #ofKernel(id: string, named: string, room: number): Promise<MailFile> {
    const response = await (named.startsWith('/images/')
      ? this.#kernel.getImage(id)
      : this.#kernel.getFile(id).catch(error => {
          // A marker of an image has an id just as well.
          if (error instanceof KernelApiError && error.status === 404) return this.#kernel.getImage(id);
          throw error;
        }));
    const media_type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    const encoded = /filename\*=UTF-8''([^;\s]+)/.exec(
      response.headers.get('content-disposition') ?? '',
    )?.[1];
    const drawn = `image-${id.slice(0, 8)}.${media_type.split('/')[1]}`;
    const name = encoded === undefined ? drawn : decodeURIComponent(encoded);
    const size = Number(response.headers.get('content-length') ?? 0);
    if (size > room) {
      await response.body?.cancel();
      throw tooLarge(name, size);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > room) throw tooLarge(name, bytes.length);
    return { name, media_type, bytes };
  }

  async #atPath(named: string, room: number): Promise<MailFile> {
    if (this.#paths === 'none') throw new NoFile(`${named} is not the id of a file.`);
    const { workdir, workdir_on } = await this.#kernel.getChat(this.#chatId);
    const path = workdir === null ? named : resolve(workdir, named);
    const outside = workdir === null || /^\.\.(?:\/|$)/.test(relative(workdir, path));
    if (this.#paths === 'workdir' && outside) throw new NoFile(`${named} is not in the working directory.`);
    const pieces: Uint8Array[] = [];
    let read = 0;
    for (let total = 1; read < total; ) {
      const range = { path, offset: read, size: PIECE_BYTES };
      const piece = await (workdir_on === 'server'
        ? this.#kernel.readBytes(range)
        : this.#kernel.readClientBytes(this.#chatId, range));
      const bytes = Buffer.from(piece.data, 'base64');
      total = piece.total;
      if (total > room) throw tooLarge(path, total);
      if (bytes.length === 0) break;
      pieces.push(bytes);
      read += bytes.length;
    }
    return { name: path.split('/').at(-1)!, bytes: Buffer.concat(pieces) };
  }
}

const tooLarge = (name: string, size: number): NoFile =>
  new NoFile(`${name} (${sizeForPeople(size)}) is too large to be attached.`, { tooLarge: true });
