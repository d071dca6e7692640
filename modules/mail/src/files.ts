/** Reads files for attachments: those of the kernel by their ids, and those on the machine of a chat by their paths. */
import { isRetryable } from '@chat-kernel/client';
import { KernelApiError, type KernelClient } from '@chat-kernel/module-sdk';
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import type { MailFile } from './outgoing.ts';
import type { MailSettings } from './settings.ts';

/** The maximum number of files in one email. */
export const MAX_FILES = 20;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** File ids as the kernel writes them: bare, as `file:ID`, or in a URL. */
const KERNEL_FILE = new RegExp(`^(?:file:|/files/|/images/)?(${UUID})$`, 'i');

/** Thrown if a file cannot be attached. The message is written for the person or model that requested it. */
export class NoFile extends Error {
  /** True if the file was expected to exist, so that its absence is reported. */
  readonly isReported: boolean;

  constructor(message: string, { isReported = false } = {}) {
    super(message);
    this.isReported = isReported;
  }
}

/** The limit for all files of an email, in bytes. Encoding adds a third, and servers reject emails that are too large. */
export const roomFor = ({ max_mail_bytes }: Pick<MailSettings, 'max_mail_bytes'>): number =>
  Math.floor(max_mail_bytes / 2);

/** `report.pdf (12.3 KB)` */
export const fileLabel = ({ name, bytes }: MailFile): string => `${name} (${sizeForPeople(bytes.length)})`;

/** How to read the files of a chat. */
export interface ChatFiles {
  kernel: KernelClient;
  chat_id: string;
  /** `copy`: files that the kernel copies for a turn of the master. `none`: only files stored by the kernel. */
  paths: 'copy' | 'none';
}

/**
 * Reads a file.
 * @param named its id, its URL, or its path
 * @param room the limit in bytes
 * @throws NoFile, or the error of the kernel client if the kernel is unreachable
 */
export async function readFile(files: ChatFiles, named: string, room: number): Promise<MailFile> {
  const id = KERNEL_FILE.exec(named)?.[1];
  try {
    return await (id === undefined ? fileAtPath(files, named, room) : fileOfKernel(files, id, named, room));
  } catch (error) {
    if (!(error instanceof KernelApiError) || isRetryable(error)) throw error;
    const isReported = error.code === 'internal';
    throw new NoFile(`${named} cannot be attached: ${error.detail}`, { isReported });
  }
}

async function fileOfKernel(
  { kernel }: ChatFiles,
  id: string,
  named: string,
  room: number,
): Promise<MailFile> {
  const response = await (named.startsWith('/images/')
    ? kernel.getImage(id)
    : kernel.getFile(id).catch(error => {
        // The id may also be from the marker of an image.
        if (error instanceof KernelApiError && error.status === 404) return kernel.getImage(id);
        throw error;
      }));
  const media_type = (response.headers.get('content-type') ?? '').split(';')[0]!;
  const encoded = /filename\*=UTF-8''([^;\s]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
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

async function fileAtPath(files: ChatFiles, named: string, room: number): Promise<MailFile> {
  const { kernel, chat_id, paths } = files;
  if (paths === 'none') throw new NoFile(`${named} is not a file id.`);
  const { id, name, size } = await kernel.copyFile(chat_id, { path: named });
  if (size > room) throw tooLarge(name, size);
  // The type of the copy is unknown; that of the mail follows from the name.
  return { name, bytes: (await fileOfKernel(files, id, named, room)).bytes };
}

const tooLarge = (name: string, size: number): NoFile =>
  new NoFile(`${name} (${sizeForPeople(size)}) is too large to attach.`, { isReported: true });
