/** Builds the turn request of an email and reads its outcome. */
import type { TurnStart, TurnStream } from '@chat-kernel/module-sdk';
import { ATTACH_TOOL, attachedFiles } from './attach-tool.ts';
import type { Incoming } from './incoming.ts';
import { quotesOthers } from './quotes.ts';
import { SURFACE } from './sender-identity.ts';
import type { StoredMail } from './store.ts';

export interface TurnOutcome {
  status: 'completed' | 'failed' | 'cancelled';
  /** The texts of the model, in Markdown. */
  text: string;
  /** URLs of created images and of approved files, without duplicates. */
  made: Set<string>;
  /** Present if the turn failed. */
  error?: { code: string; message: string };
}

/** The message of a retry after a kernel stop. The email itself is already in the history. */
const AGAIN = 'A restart interrupted the answer to the email above. Write the complete answer now.';

/**
 * The message of an email. It must be the same on every attempt, as its idempotency key requires.
 * @param text of the email
 */
export const buildTurnStart = (
  { id, attempt, files }: StoredMail,
  { text, subject }: Pick<Incoming, 'subject' | 'text'>,
  person_id: string,
): TurnStart => ({
  text: attempt > 1 ? AGAIN : text === '' ? subject : text,
  person_id,
  questions: true,
  consents: true,
  anchor: { chat_id: id, message_id: attempt, module: SURFACE },
  context: `This message arrived by email, and your answer is sent as a reply. Images that you create are attached. To attach files, call ${ATTACH_TOOL}. Subject: ${subject}`,
  // Otherwise a forwarded email could give orders in the name of its sender.
  ...(quotesOthers(subject, text) && { outside: ['mail:quoted text'] }),
  mute: ['text_delta', 'thinking_delta', 'item_delta'],
  ...(attempt === 1 && { files: (JSON.parse(files ?? '[]') as string[]).map(file => ({ id: file })) }),
});

/** Reads a turn until it ends. */
export async function readOutcome(stream: TurnStream): Promise<TurnOutcome> {
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
      const { name, output = '', is_error } = event.item;
      if (name === ATTACH_TOOL && !is_error) for (const url of attachedFiles(output)) made.add(url);
    } else if (event.type === 'error') {
      error = { code: event.code, message: event.message };
    } else if (event.type === 'done') status = event.status;
  }
  return { status, text: texts.filter(Boolean).join('\n\n'), made, ...(error && { error }) };
}
