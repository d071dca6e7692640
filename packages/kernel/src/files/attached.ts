/**
 * Converts files of a turn request to blocks of the user's message: a marker for the model, never the bytes (FILE-4).
 */
import { fileMarker, invalidValue, type TurnRequest } from '@chat-kernel/protocol';
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
      const detail = `There is no uploaded file ${JSON.stringify(id.slice(0, 100))}.`;
      throw invalidValue(`/files/${index}/id`, detail, 'unknown_file');
    }
    found.set(id, file);
  }
  return [...found.values()];
}

/** A file and its bytes, for a tool; undefined if there is no such file, or its bytes are deleted. */
export async function uploadedFile(
  id: string,
  store: Pick<Store, 'files'>,
): Promise<{ file: FileRecord; bytes: AsyncIterable<Uint8Array> } | undefined> {
  const file = isId(id) ? await store.files.get(id) : undefined;
  const bytes = file && (await store.files.read(file));
  return bytes && { file, bytes };
}

/**
 * The marker block of a file that is not copied to a machine and has no path: from a sender who is not trusted (WHO-3),
 * or for a turn that uses no machine (WHO-5).
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
 * The marker block of a file, with the path at which tools read it: a copy in the chat's directory on this machine; a
 * path on the client's machine, to which the file is written before the model runs; or the path of the kernel's file or
 * its address, which read_file accepts.
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
      // A missing or read-only directory must not stop the message: the kernel's copy can be read as well. The log gets
      // only the code, because messages of the file system contain names given by users.
      const { code = 'outside' } = error as NodeJS.ErrnoException;
      log.warn({ chat_id: chat.id, file_id: id, code }, 'Copying a file into the working directory failed.');
      return placeHere(file, store);
    }
  }
}
