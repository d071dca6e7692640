/** Copies files of a chat to the uploads, so that a module sends exactly what the owner has approved (CONSENT-14). */
import { KernelError, type UploadedFile } from '@chat-kernel/protocol';
import { isWithinThere } from '../client-machine/client-path.ts';
import { runsOnClient } from '../client-machine/select-machine.ts';
import { Files } from '../files/files.ts';
import type { ChatRecord, FileRecord, Hands, NewRequest, RequestHandle } from '../ports/index.ts';
import { clientMachine } from '../turn/machines.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';

/** The limit of one read on a client's machine. */
const PIECE_BYTES = 4 * 1024 * 1024;
const UPLOADED = /^file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the id of an uploaded file, which replaces a path: `file:ID`. Undefined if it is a normal path. */
export const uploadedId = (path: string): string | undefined => UPLOADED.exec(path)?.[1];

/** The chat of the copy, and its running turn. */
interface Copying {
  chat: ChatRecord;
  turn: RunningTurn | undefined;
  /** Opens the requests to the client whose machine has the file. */
  request: ((opening: NewRequest) => RequestHandle) | undefined;
}

/**
 * Copies a file of the working directory, or returns an upload.
 * @param maxBytes the limit of uploads
 * @throws KernelError forbidden_path, not_found, invalid_value, body_too_large; errors of the client's machine
 */
export async function copyFile(
  path: string,
  maxBytes: number,
  { chat, turn, request }: Copying,
  services: TurnServices,
): Promise<UploadedFile> {
  if (turn === undefined || !(turn.context.master && turn.context.trusted)) {
    throw new KernelError('forbidden_path', 'Files can be sent only during a turn of the master.');
  }
  const files = new Files(services.store, services.clock);
  const id = uploadedId(path);
  if (id !== undefined) return toUpload(await files.file(id));
  if (!mayRead(turn, chat, services)) {
    throw new KernelError(
      'forbidden_path',
      'This turn may not read files of a machine, so it cannot send them.',
    );
  }
  const hands = runsOnClient(turn.record.parameters, chat)
    ? clientMachine(turn, () => chat, services, { request })
    : null;
  const bytes =
    hands === null ? await services.machines.local.openWithin(path, chat) : readThere(path, chat, hands);
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return toUpload(
    await files.save({ name, media_type: 'application/octet-stream' }, limited(bytes, maxBytes)),
  );
}

/** Whether the policy and the chat let the turn read files of a machine with `read_file`. */
function mayRead(
  { record, context }: RunningTurn,
  { toolset }: ChatRecord,
  { toolbox }: TurnServices,
): boolean {
  const parameters = { ...record.parameters, tools: ['read_file'] };
  return toolbox.offer(parameters, toolset, context).tools.get('read_file')?.on_machine === true;
}

async function* readThere(path: string, chat: ChatRecord, hands: Hands): AsyncGenerator<Uint8Array> {
  if (!isWithinThere(chat.workdir, path)) {
    throw new KernelError('forbidden_path', `${path} is outside of the working directory of the chat.`);
  }
  for (let offset = 0; ; ) {
    const { total, data } = await hands.readBytes({ path, offset, size: PIECE_BYTES });
    yield data;
    offset += data.length;
    if (offset >= total || data.length === 0) return;
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxBytes) {
      throw new KernelError('body_too_large', `The file is larger than the limit of ${maxBytes} bytes.`);
    }
    yield piece;
  }
}

const toUpload = ({ id, name, media_type, size }: FileRecord): UploadedFile => ({
  id,
  name,
  media_type,
  size,
});
