/** The tool by which a model sends files of its machine to the chat on Telegram: an answer by itself has none. */
import { basename, extname, isAbsolute, join } from 'node:path';
import { type KernelClient, ToolError, tool, z } from '@chat-kernel/module-sdk';
import { detailOf, whenThere } from './kernel-answers.ts';
import type { Outbox } from './outbox.ts';
import type { Store } from './store.ts';
import { MAX_FILE_BYTES, tooLarge } from './uploads.ts';

/** The kernel reads no more at once. */
const STEP = 4 * 1024 * 1024;
/** Telegram makes a new picture of what it gets as a photo, at most so large a one. */
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const PHOTOS = new Set(['.png', '.jpg', '.jpeg']);

export interface FileServices {
  store: Store;
  outbox: Outbox;
}

/** @param services what `start` has made; undefined before it */
export const sendFileTool = (services: () => FileServices | undefined) =>
  tool({
    description:
      'Sends a file of the machine that you work on to the people of this chat on Telegram, at most 50 MB. PNG and JPEG are shown as photos.',
    trusted_only: true,
    on_demand: true,
    input: z.object({
      path: z.string().min(1).max(4096).describe('Absolute, or in the working directory.'),
      as_file: z.boolean().optional().describe('A picture comes as a file, with every pixel as it is.'),
    }),
    async run({ path, as_file }, { context: { chat_id, client_ops }, kernel, signal }) {
      const ready = services();
      const place = ready?.store.placeOf(chat_id);
      if (!ready || !place)
        throw new ToolError('This chat is none of Telegram: there is nobody to send it to.');
      // Also of a path of Windows, where that is the client's machine.
      const name = basename(path.replaceAll('\\', '/'));
      try {
        const read = await readerOf({ chat_id, path, client_ops }, kernel, signal);
        const bytes = await whole(name, read);
        const upload = { name, media_type: 'application/octet-stream', bytes };
        const file = await whenThere(() => kernel.uploadFile(upload, { signal }), signal);
        const photo = !as_file && bytes.length <= MAX_PHOTO_BYTES && PHOTOS.has(extname(name).toLowerCase());
        ready.store.send(place, { kind: 'file', file_id: file.id, name, photo });
        ready.outbox.flush();
        return `${name} (${bytes.length} bytes) is on its way to the chat on Telegram.`;
      } catch (error) {
        if (error instanceof ToolError) throw error;
        signal.throwIfAborted();
        throw new ToolError(detailOf(error));
      }
    },
  });

type Reader = (offset: number) => Promise<{ total: number; data: string }>;
interface Wanted {
  chat_id: string;
  path: string;
  client_ops: boolean;
}

/** Reads where the tools of the turn work: on the machine of a client, where there is one, else on the kernel's. */
async function readerOf(
  { chat_id, path, client_ops }: Wanted,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Reader> {
  const { workdir, workdir_on, hands } = await whenThere(() => kernel.getChat(chat_id, { signal }), signal);
  if (workdir_on === 'client' && (client_ops || hands !== null)) {
    return offset => kernel.readClientBytes(chat_id, { path, offset, size: STEP }, { signal });
  }
  const here = workdir_on === 'server' && workdir !== null && !isAbsolute(path) ? join(workdir, path) : path;
  return offset => kernel.readBytes({ path: here, offset, size: STEP }, { signal });
}

/** @throws ToolError where it is too large, or empty */
async function whole(name: string, read: Reader): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const { total, data } = await read(offset);
    if (total > MAX_FILE_BYTES) throw new ToolError(tooLarge(name));
    // Telegram refuses files without a byte.
    if (total === 0) throw new ToolError(`${name} is empty.`);
    const piece = Buffer.from(data, 'base64');
    pieces.push(piece);
    offset += piece.length;
    if (offset >= total || piece.length === 0) return Buffer.concat(pieces);
  }
}
