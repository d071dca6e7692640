/** A turn of a mail: its message as the kernel takes it, and what came of it as a mail can carry it. */
import type { KernelClient, TurnStart, TurnStream } from '@chat-kernel/module-sdk';
import type { Incoming } from './incoming.ts';
import type { StoredMail } from './store.ts';

export interface TurnOutcome {
  status: 'completed' | 'failed' | 'cancelled';
  /** The texts of the model, in Markdown. */
  text: string;
  images: { id: string; media_type: string }[];
  /** Of a turn that failed. */
  error?: { code: string; message: string };
}

/** What a turn says whose first attempt ended with the process of the kernel: the mail itself stands above it. */
const AGAIN =
  'The service was restarted before the answer to the mail above was complete. Write the whole answer now.';

/** The message of a mail; each time the same, for its idempotency key to count. */
export const startOf = (
  { id, attempt, files }: StoredMail,
  { text, subject }: Incoming,
  person_id: string,
): TurnStart => ({
  text: attempt > 1 ? AGAIN : text === '' ? subject : text,
  person_id,
  questions: true,
  anchor: { chat_id: id, message_id: attempt },
  context: `This message came by mail, and the answer goes back as a mail. Subject: ${subject}`,
  mute: ['text_delta', 'thinking_delta', 'item_delta'],
  ...(attempt === 1 && { files: (JSON.parse(files ?? '[]') as string[]).map(file => ({ id: file })) }),
});

/** Reads a turn to its end. */
export async function outcomeOf(stream: TurnStream): Promise<TurnOutcome> {
  let texts: string[] = [];
  let images: TurnOutcome['images'] = [];
  let error: TurnOutcome['error'];
  let status: TurnOutcome['status'] = 'failed';
  for await (const event of stream) {
    if (event.type === 'reset') {
      [texts, images] = [[], []];
    } else if (event.type === 'item_completed' && event.item.kind === 'agent_message') {
      texts.push(event.item.text.trim());
    } else if (event.type === 'image') {
      images.push({ id: event.id, media_type: event.media_type });
    } else if (event.type === 'error') {
      error = { code: event.code, message: event.message };
    } else if (event.type === 'done') status = event.status;
  }
  return { status, text: texts.filter(Boolean).join('\n\n'), images, ...(error && { error }) };
}

/** The images of an answer, as far as there is room for them. */
export async function imagesOf({ images }: TurnOutcome, kernel: KernelClient, room: number) {
  const found: { name: string; media_type: string; bytes: Uint8Array }[] = [];
  for (const [index, { id, media_type }] of images.entries()) {
    const response = await kernel.getImage(id);
    const bytes = new Uint8Array(await response.arrayBuffer());
    room -= bytes.length;
    if (room < 0) break;
    found.push({ name: `image-${index + 1}.${media_type.split('/')[1]}`, media_type, bytes });
  }
  return found;
}
