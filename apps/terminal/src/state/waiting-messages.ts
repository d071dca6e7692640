/**
 * Messages whose turns have not started. The history contains them, of all clients. Messages that this client has just
 * sent are shown from here until the history is loaded again.
 */
import type { Item } from '@chat-kernel/client';
import type { AppState, WaitingMessage } from './app-state.ts';

/** Returns the messages of the chat on the screen, oldest first. */
export function waitingHere({ waiting, chat, snapshot: { items } }: AppState): readonly WaitingMessage[] {
  if (waiting.length === 0) return waiting;
  const begun = new Set(items.filter(item => isMessage(item) && !item.waiting).map(({ turn_id }) => turn_id));
  return waiting.filter(({ chat_id, turn_id }) => chat_id === chat?.id && !begun.has(turn_id));
}

/** Counts the queued turns after the running turn. */
export const queuedHere = (state: AppState): number =>
  waitingHere(state).filter(({ turn_id, behind }) => behind && turn_id !== state.snapshot.turn?.turn_id)
    .length;

/** Counts the queued messages of other clients after the first of these. */
export function otherWaiting({ snapshot }: AppState, own: readonly WaitingMessage[]): number {
  const ids = new Set(own.map(({ message_id }) => message_id));
  const waiting = snapshot.items.filter(isMessage).filter(item => item.waiting);
  const first = waiting.findIndex(({ message_id }) => ids.has(message_id));
  return first < 0 ? 0 : waiting.slice(first).filter(({ message_id }) => !ids.has(message_id)).length;
}

/** Returns the messages as the last items of the chat, with their ids in the history. */
export function waitingItems(state: AppState): Item[] {
  const known = state.snapshot.items.filter(isMessage).filter(({ waiting }) => waiting);
  const sent = waitingHere(state).filter(({ message_id }) =>
    known.every(item => item.message_id !== message_id),
  );
  return [
    ...known.map(item => ({ ...item, status: UNSETTLED, text: shortened(item.text) })),
    ...sent.map(toUserMessage),
  ];
}

type UserMessage = Extract<Item, { kind: 'user_message' }>;

const isMessage = (item: Item): item is UserMessage => item.kind === 'user_message';

/** Status of an item that is not printed yet, because its final position is unknown. */
const UNSETTLED = 'running' as const;

function toUserMessage({ turn_id, message_id, sent, sent_at }: WaitingMessage): UserMessage {
  return {
    id: `${message_id}:0`,
    kind: 'user_message',
    status: UNSETTLED,
    turn_id,
    created_at: sent_at,
    text: shortened(sent.text),
    attachments: [],
    master: true,
    message_id,
  };
}

/** Limit of queued text, so that the running turn stays visible. */
function shortened(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS);
  return shown.length < text.length ? `${shown} …` : text;
}

const MAX_LINES = 3;
const MAX_CHARS = 240;

/** Selects the items to show. Printed lines cannot change, so items must arrive in their final order. */
export function shownItems(state: AppState): Item[] {
  const items = state.snapshot.items.filter(isShown);
  const early = answersBeforeQuestions(items);
  const begun = items.filter(item => !early.has(item));
  return [...begun, ...waitingItems(state)];
}

/**
 * Hides operations that need no decision, such as looking for project files at each turn. A file that is written in
 * chunks is one line.
 */
function isShown(item: Item): boolean {
  if (item.kind === 'user_message') return !item.waiting;
  if (item.kind !== 'client_op') return true;
  const { action, params } = item;
  if (action === 'list_up' || action === 'list_dir') return false;
  return !(action === 'write_bytes' && params.truncate === false);
}

/**
 * Items at the end whose messages are not loaded. Only the history contains the message of a turn, and quick answers may
 * arrive before it is loaded, also of more than one turn. If there are many such items, their message is older than the
 * loaded history.
 */
function answersBeforeQuestions(items: readonly Item[]): ReadonlySet<Item> {
  const messages = items.filter(item => item.kind === 'user_message');
  const asked = new Set(messages.map(({ turn_id }) => turn_id));
  const early = items.slice(items.findLastIndex(({ turn_id }) => asked.has(turn_id)) + 1);
  return new Set(early.length > MANY_ITEMS ? [] : early);
}

/** Less than the messages of one page of history. */
const MANY_ITEMS = 30;
