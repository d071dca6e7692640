/** Writes attached files to the machine of the client, on which the model's tools will run (MARK-4, FILE-4). */
import { fileAddress, safeFileName } from '../base/file-name.ts';
import {
  type FileRecord,
  type NewMessage,
  OperationError,
  type Store,
  type StoredBlock,
  Unanswered,
} from '../ports/index.ts';
import type { ClientHands } from './client-machine.ts';

const PIECE_BYTES = 512 * 1024;

/**
 * Writes the files of a message one after the other. The approval of the first piece of a file counts for the whole
 * file. Returns a block for the model for each file that is not at the path in its marker.
 */
export async function deliverFiles(
  { content }: Pick<NewMessage, 'content'>,
  hands: ClientHands,
  store: Pick<Store, 'files'>,
  signal: AbortSignal,
): Promise<StoredBlock[]> {
  const missing: StoredBlock[] = [];
  let silent: Unanswered | undefined;
  for (const { internal } of content) {
    if (!internal?.deliver_to || !internal.file) continue;
    signal.throwIfAborted();
    try {
      // After one timeout, fail the remaining files immediately.
      if (silent !== undefined) throw silent;
      await deliver(internal.file.id, internal.deliver_to, hands, store);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (error instanceof Unanswered) silent = error;
      missing.push(notThere(internal.file, internal.deliver_to, error.message));
    }
  }
  return missing;
}

/**
 * Blocks that tell the model the paths of files on the kernel's machine: the chat has moved from the client's machine
 * since the message arrived.
 */
export async function filesHere(
  { content }: Pick<NewMessage, 'content'>,
  store: Pick<Store, 'files'>,
): Promise<StoredBlock[]> {
  const found: StoredBlock[] = [];
  for (const { internal } of content) {
    if (!internal?.deliver_to || !internal.file) continue;
    const file = await store.files.get(internal.file.id);
    const place = file
      ? `The chat now works on another machine, where the file is at ${await placeHere(file, store)}.`
      : GONE;
    found.push(notThere(internal.file, internal.deliver_to, place));
  }
  return found;
}

/** The path at which read_file finds a file on this machine, or its address if the file is not on a local disk. */
export const placeHere = async (file: FileRecord, store: Pick<Store, 'files'>): Promise<string> =>
  (await store.files.path(file)) ?? fileAddress(file.id);

const GONE = 'Its content was deleted.';

const notThere = (
  { name, media_type }: { name: string; media_type: string },
  path: string,
  why: string,
): StoredBlock => ({
  type: 'context',
  text: `The attached file ${safeFileName(name, media_type)} could not be placed at ${path}. ${why}`,
});

async function deliver(
  id: string,
  path: string,
  hands: ClientHands,
  store: Pick<Store, 'files'>,
): Promise<void> {
  const file = await store.files.get(id);
  const bytes = file && (await store.files.read(file));
  if (bytes === undefined) throw new OperationError(GONE);
  let offset = 0;
  for await (const data of pieces(bytes)) {
    const first = offset === 0;
    const total = await hands.writeBytes({ path, offset, data, truncate: first }, { silent: !first });
    offset += data.length;
    if (total !== offset) {
      throw new OperationError(`The client wrote ${total} bytes instead of ${offset}.`);
    }
  }
}

/**
 * The bytes in pieces of one size, the last one smaller. An empty file gives one empty piece, so that it is written
 * too.
 */
async function* pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  let told = false;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    while (size >= PIECE_BYTES) {
      const whole = Buffer.concat(held);
      yield whole.subarray(0, PIECE_BYTES);
      told = true;
      held = [whole.subarray(PIECE_BYTES)];
      size = whole.length - PIECE_BYTES;
    }
  }
  if (size > 0 || !told) yield Buffer.concat(held);
}
