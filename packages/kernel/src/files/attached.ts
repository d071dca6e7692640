/** Files of a turn request as blocks of the user's message: a marker for the model, never the bytes (FILE-4). */
import { fileMarker, KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { fileAddress, safeFileName } from '../base/file-name.ts';
import { isId } from '../base/ids.ts';
import { pathThere } from '../client-machine/client-path.ts';
import { placeHere } from '../client-machine/deliver.ts';
import type { ChatRecord, FileRecord, Log, Store, StoredBlock } from '../ports/index.ts';

/** The files that a request names, each once. @throws KernelError unknown_file */
export async function findFiles(
  { files = [] }: TurnRequest,
  store: Pick<Store, 'files'>,
): Promise<FileRecord[]> {
  const found = new Map<string, FileRecord>();
  for (const [index, { id }] of files.entries()) {
    const file = isId(id) ? await store.files.get(id) : undefined;
    if (file === undefined) {
      const detail = `There is no file ${JSON.stringify(id.slice(0, 100))}.`;
      throw new KernelError('unknown_file', detail, { errors: [{ pointer: `/files/${index}/id`, detail }] });
    }
    found.set(id, file);
  }
  return [...found.values()];
}

/** A file and its bytes, for a tool; undefined where there is no such file, or its bytes are gone. */
export async function uploadedFile(
  id: string,
  store: Pick<Store, 'files'>,
): Promise<{ file: FileRecord; bytes: AsyncIterable<Uint8Array> } | undefined> {
  const file = isId(id) ? await store.files.get(id) : undefined;
  const bytes = file && (await store.files.read(file));
  return bytes && { file, bytes };
}

/**
 * The marker block of a file that is brought to no machine and names no path: of somebody who is not trusted (WHO-3), or
 * for a turn that works on none (WHO-5).
 */
export function unplacedFileBlock(
  { id, name, size, media_type }: FileRecord,
  { trusted }: { trusted: boolean },
): StoredBlock {
  return {
    type: 'text',
    text: fileMarker(id, safeFileName(name, media_type), size, fileAddress(id)),
    internal: {
      file: { id, name, size, media_type, url: `/files/${id}` },
      ...(!trusted && { stranger: true }),
    },
  };
}

/**
 * The marker block of a file, with the path where tools read it: a copy in the chat's directory on this machine, a
 * path on the client's machine, where the file is brought before the model runs, or the kernel's own file or its address,
 * which read_file takes.
 */
export async function fileBlock(
  file: FileRecord,
  chat: ChatRecord,
  onClient: boolean,
  { store, log }: { store: Pick<Store, 'files'>; log: Log },
): Promise<StoredBlock> {
  const { id, name, size, media_type } = file;
  const safe = safeFileName(name, media_type);
  const deliver_to = onClient ? pathThere(chat.workdir, `.service/files/${id}/${safe}`) : undefined;
  const path = deliver_to ?? (await pathOf());
  return {
    type: 'text',
    text: fileMarker(id, safe, size, path),
    internal: {
      file: { id, name, size, media_type, url: `/files/${id}` },
      ...(deliver_to !== undefined && { deliver_to }),
    },
  };

  async function pathOf(): Promise<string> {
    if (chat.workdir === null || chat.workdir_on !== 'server') return placeHere(file, store);
    try {
      return await store.files.copy(file, chat.workdir);
    } catch (error) {
      // A directory that is gone or read-only must not stop the message: the kernel's own copy can be read as well.
      // The log gets the code alone, for messages of the file system hold names that people gave.
      const { code = 'outside' } = error as NodeJS.ErrnoException;
      log.warn(
        { chat_id: chat.id, file_id: id, code },
        'A file could not be put into the working directory.',
      );
      return placeHere(file, store);
    }
  }
}
