/** A turn of a mail: its message as the kernel takes it, and what came of it. */
import { changeOf } from '@chat-kernel/client';
import type { TurnStart, TurnStream } from '@chat-kernel/module-sdk';
import type { Incoming } from './incoming.ts';
import type { StoredMail } from './store.ts';

export interface TurnOutcome {
  status: 'completed' | 'failed' | 'cancelled';
  /** The texts of the model, in Markdown. */
  text: string;
  /** What it has made, once each: the addresses of images, and the paths of files that it has written whole. */
  made: Set<string>;
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
  context: `This message came by mail, and the answer goes back as a mail, with the images and files that you make, and those that it links to by their path. Subject: ${subject}`,
  mute: ['text_delta', 'thinking_delta', 'item_delta'],
  ...(attempt === 1 && { files: (JSON.parse(files ?? '[]') as string[]).map(file => ({ id: file })) }),
});

/** Reads a turn to its end. */
export async function outcomeOf(stream: TurnStream): Promise<TurnOutcome> {
  let texts: string[] = [];
  let made: TurnOutcome['made'] = new Set();
  let error: TurnOutcome['error'];
  let status: TurnOutcome['status'] = 'failed';
  for await (const event of stream) {
    if (event.type === 'reset') {
      [texts, made] = [[], new Set()];
    } else if (event.type === 'item_completed' && event.item.kind === 'agent_message') {
      texts.push(event.item.text.trim());
    } else if (event.type === 'image') {
      made.add(event.url);
    } else if (event.type === 'item_completed' && event.item.kind === 'tool_call') {
      const { name, input, is_error } = event.item;
      const change = changeOf(name, input);
      if (change?.whole && !is_error) made.add(change.path);
    } else if (event.type === 'error') {
      error = { code: event.code, message: event.message };
    } else if (event.type === 'done') status = event.status;
  }
  return { status, text: texts.filter(Boolean).join('\n\n'), made, ...(error && { error }) };
}
