/** Opens the source of a book: an uploaded file, a file on the kernel's machine, or a file on the client's. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type MachinePaths, openFile, PathError } from '@chat-kernel/hands/own-machine';
import { type Hands, OperationError, safeFileName, type ToolContext } from '@chat-kernel/kernel';

export interface BookSource {
  /** The name of the file, without its directories. */
  name: string;
  /** Can be read only once, to the end or until it throws OperationError, PathError or an error of the file system. */
  bytes: AsyncIterable<Uint8Array>;
}

/** The maximum number of bytes that one operation of a client returns. */
const CLIENT_STEP = 4 * 1024 * 1024;

/** Opens an uploaded file. @throws PathError if there is no file with this id */
export async function uploadedSource(
  id: string,
  { uploadedFile }: Pick<ToolContext, 'uploadedFile'>,
): Promise<BookSource> {
  const uploaded = await uploadedFile(id);
  if (uploaded === undefined) throw new PathError(`There is no uploaded file ${id.slice(0, 100)}.`);
  const { name, media_type } = uploaded.file;
  return { name: safeFileName(name, media_type), bytes: uploaded.bytes };
}

/** Opens a file on the machine of the call. @throws PathError, or the error of the file system */
export async function pathSource(
  path: string,
  { chat, hands }: ToolContext,
  paths: MachinePaths,
): Promise<BookSource> {
  if (hands !== null && !(await paths.isUploaded(path))) {
    return { name: path.split(/[/\\]/).at(-1) || path, bytes: fromClient(path, hands) };
  }
  const real = await paths.toRead(path, chat);
  if ((await stat(real)).isDirectory())
    throw new PathError(`${path} is a directory. Give the path of a file.`);
  await paths.refuseSecret(real);
  return { name: basename(path), bytes: fromDisk(real) };
}

async function* fromDisk(path: string): AsyncGenerator<Uint8Array> {
  // The file closes with its stream.
  yield* (await openFile(path)).createReadStream();
}

async function* fromClient(path: string, hands: Hands): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    const { data, total } = await hands.readBytes({ path, offset, size: CLIENT_STEP });
    if (data.length > 0) yield data;
    offset += data.length;
    if (offset >= total) return;
    if (data.length === 0)
      throw new OperationError(`The client sent ${offset} of the ${total} bytes of ${path}.`);
  }
}
