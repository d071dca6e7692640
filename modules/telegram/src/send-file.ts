/** The tool that lets a model send files of its chat to the Telegram chat, after the owner has approved each. */
import { extname } from 'node:path';
import { type KernelClient, ToolError, tool, type UploadedFile, z } from '@chat-kernel/module-sdk';
import { errorDetail, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { SendingServices } from './outbox.ts';
import type { Conversation } from './tables.ts';
import { MAX_FILE_BYTES, tooLarge } from './uploads.ts';

/** Telegram recompresses photos, up to this size. */
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const PHOTOS = new Set(['.png', '.jpg', '.jpeg']);

/** @param services from `start`; undefined before it */
export const sendFileTool = (services: () => SendingServices | undefined) =>
  tool({
    description:
      'Sends a file of the working directory, or an attached file, to this chat on Telegram, at most 50 MB. The owner is asked first. PNG and JPEG files are shown as photos.',
    trusted_only: true,
    effects: ['send'],
    asks: true,
    on_demand: true,
    input: z.object({
      path: z
        .string()
        .min(1)
        .max(4096)
        .describe('In the working directory: absolute, or relative to it. Or file:ID of an attached file.'),
      as_file: z.boolean().optional().describe('Send an image as a file, without recompression.'),
    }),
    async run({ path, as_file }, { context: { chat_id }, kernel, signal, filesToSend }) {
      const ready = services();
      const place = ready?.store.findConversation(chat_id);
      if (!ready || !place)
        throw new ToolError('This chat is not connected to Telegram, so the file cannot be sent.');
      try {
        const to = await describeReaders(place, chat_id, kernel, signal);
        const [file] = await filesToSend([path], { to }, checkSize);
        const { id, name, size } = file!;
        const photo = !as_file && size <= MAX_PHOTO_BYTES && PHOTOS.has(extname(name).toLowerCase());
        ready.store.send(place, { kind: 'file', file_id: id, name, photo });
        ready.outbox.flush();
        return `${name} (${size} bytes) is queued for the chat on Telegram.`;
      } catch (error) {
        if (error instanceof ToolError) throw error;
        signal.throwIfAborted();
        throw new ToolError(errorDetail(error));
      }
    },
  });

/** @throws ToolError for a file that Telegram would reject */
function checkSize({ name, size }: UploadedFile): void {
  if (size > MAX_FILE_BYTES) throw new ToolError(tooLarge(name));
  if (size === 0) throw new ToolError(`${name} is empty.`);
}

/** Who would get the file. The ids of groups are negative. */
async function describeReaders(
  place: Conversation,
  chatId: string,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<string> {
  const { title } = await retryUntilAvailable(() => kernel.getChat(chatId, { signal }), signal);
  const kind = place.chat_id < 0 ? 'all members of group' : 'chat';
  return `${title ?? 'Telegram'} (${kind} ${place.chat_id})`;
}
