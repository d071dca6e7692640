/** What a word says: short, on one line, and enough to know whether to come. */
import {
  cutText,
  type PendingRequest,
  PUSH_TEXT_CHARS,
  type TurnEnd,
  type TurnError,
} from '@chat-kernel/protocol';

/** Characters of a title in a word: what a push service carries is small. */
const TITLE_CHARS = 100;
/** The longest id of a request that a word holds: a model may have made it. */
const ID_CHARS = 200;
/** Characters in which the beginning of a text is looked for. */
const LOOKED_AT = 2000;

/** The text on one line, and cut where it is too long. */
export function shortText(text: string, chars = PUSH_TEXT_CHARS): string {
  const line = cutText(text, LOOKED_AT).replace(/\s+/g, ' ').trim();
  return line.length <= chars ? line : `${cutText(line, chars - 1)}…`;
}

/** @param title of the chat; null: it has none, or there is no chat */
export const titleOf = (title: string | null): string => shortText(title ?? 'Chat Kernel', TITLE_CHARS);

/** What is asked. */
export function requestText({ event, question }: PendingRequest): string {
  if (event.type === 'tool_call') {
    const { questions } = event.input as { questions?: { question?: unknown }[] };
    const asked = questions?.[question ?? 0]?.question;
    return shortText(typeof asked === 'string' ? asked : 'A question waits for an answer.');
  }
  if (event.type === 'client_op') {
    const { action, command, path } = event as { action: string; command?: unknown; path?: unknown };
    const what = [command, path].find(part => typeof part === 'string');
    return shortText(what === undefined ? `${action}: may it?` : `${action}: ${what}`);
  }
  return shortText(event.type === 'extra_tool_call' ? `${event.name} waits for its client.` : '');
}

/** How a turn ended. @param said the last words of its model */
export function endText(status: TurnEnd, said: string, error: TurnError | null): string {
  if (status === 'failed') return shortText(`Failed: ${error?.message ?? 'the turn could not go on.'}`);
  return shortText(said) || 'Done.';
}

/** What is told of a time of a schedule that was missed. */
export const missedText = (due_at: string): string =>
  `Missed: it was due at ${due_at}, and the kernel was not there in time.`;

/** Whether a word names a request: what a push service carries is small. */
export const isNamed = (requestId: string | undefined): requestId is string =>
  requestId !== undefined && requestId.length <= ID_CHARS;

/** The page of a chat, or of a request in it. @param publicUrl null: the address is a path */
export function pageOf(publicUrl: string | null, chatId: string | null, requestId?: string): string {
  const path = chatId === null ? '/' : `/chats/${chatId}`;
  const query = isNamed(requestId) ? `?request=${encodeURIComponent(requestId)}` : '';
  const base = publicUrl?.endsWith('/') ? publicUrl.slice(0, -1) : (publicUrl ?? '');
  return `${base}${path}${query}`;
}
