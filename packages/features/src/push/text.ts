/** Formats the text of a notification: short, on one line, and enough to decide whether to open it. */
import type { KernelEventOf, PendingRequest, TurnEnd, TurnError } from '@chat-kernel/protocol';
import { PUSH_TEXT_CHARS } from '@chat-kernel/protocol';
import { cutText, cutWithEllipsis, toSingleLine } from '@chat-kernel/text';

/** The end of a turn, with the last text of its model. */
export interface TurnOutcome {
  status: TurnEnd;
  said: string;
  error: TurnError | null;
}

/** The end of a run, or a due time that was missed. */
export type RunOutcome = Omit<TurnOutcome, 'status'> &
  Pick<KernelEventOf<'schedule_ended'>, 'status' | 'due_at'>;

/** Characters of a title in a notification, because push services limit the size. */
const TITLE_CHARS = 100;
/** The longest id of a request in a notification: a model may have chosen it. */
const ID_CHARS = 200;
/** Characters that are searched for the beginning of a text. */
const LOOKED_AT = 2000;

/** Returns the text on one line, truncated if it is too long. */
export function shortText(text: string, chars = PUSH_TEXT_CHARS): string {
  return cutWithEllipsis(toSingleLine(cutText(text, LOOKED_AT)), chars);
}

/** @param title of the chat; null if it has none, or if there is no chat */
export const notificationTitle = (title: string | null): string =>
  shortText(title ?? 'Chat Kernel', TITLE_CHARS);

/** Describes what is asked. */
export function requestText({ event, question }: PendingRequest): string {
  if (event.type === 'tool_call') {
    const { questions } = event.input as { questions?: { question?: unknown }[] };
    const asked = questions?.[question ?? 0]?.question;
    return shortText(typeof asked === 'string' ? asked : 'A question is waiting for your answer.');
  }
  if (event.type === 'client_op' || event.type === 'consent_request') {
    const { action, command, path, call } = event as {
      action: string;
      command?: unknown;
      path?: unknown;
      call?: string[];
    };
    if (call !== undefined) return shortText(`${action} (${call.length}): ${call.join(' · ')}`);
    const what = [command, path].find(part => typeof part === 'string');
    return shortText(what === undefined ? `Allow ${action}?` : `${action}: ${what}`);
  }
  return shortText(event.type === 'extra_tool_call' ? `${event.name} is waiting for its client.` : '');
}

/** Describes how a turn ended. */
export function endText({ status, said, error }: TurnOutcome): string {
  if (status === 'failed') return shortText(`Failed: ${error?.message ?? 'the turn could not continue.'}`);
  return shortText(said) || 'Done.';
}

/** Describes how a run ended, or that it was missed. */
export function runText({ status, due_at, ...rest }: RunOutcome): string {
  if (status !== 'missed') return endText({ status, ...rest });
  return `Missed: it was due at ${due_at}, when the kernel was not running.`;
}

/** Whether a notification contains the id of a request, because push services limit the size. */
export const isNamed = (requestId: string | undefined): requestId is string =>
  requestId !== undefined && requestId.length <= ID_CHARS;

/** The page of a chat, or of a request in it. @param publicUrl null: the address is a path */
export function pageUrl(publicUrl: string | null, chatId: string | null, requestId?: string): string {
  const path = chatId === null ? '/' : `/chats/${chatId}`;
  const query = isNamed(requestId) ? `?request=${encodeURIComponent(requestId)}` : '';
  const base = publicUrl?.endsWith('/') ? publicUrl.slice(0, -1) : (publicUrl ?? '');
  return `${base}${path}${query}`;
}
