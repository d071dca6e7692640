/** Messages of this client whose turns have not begun: no history has them yet, so they are shown from here. */
import type { Item } from '@chat-kernel/client';
import type { AppState, WaitingMessage } from './app-state.ts';

/** Returns those of the chat on the screen, the oldest first. */
export function waitingHere({ waiting, chat, snapshot: { items } }: AppState): readonly WaitingMessage[] {
  if (waiting.length === 0) return waiting;
  const begun = new Set(items.filter(({ kind }) => kind === 'user_message').map(({ turn_id }) => turn_id));
  return waiting.filter(({ chat_id, turn_id }) => chat_id === chat?.id && !begun.has(turn_id));
}

/** Counts the turns of waiting messages that come after the running turn. */
export const queuedHere = (state: AppState): number =>
  waitingHere(state).filter(({ turn_id, behind }) => behind && turn_id !== state.snapshot.turn?.turn_id)
    .length;

/** Returns them as the last items of the chat, under the ids that they will have in its history. */
export const waitingItems = (state: AppState): Item[] =>
  waitingHere(state).map(({ turn_id, message_id, text, sent_at }) => ({
    id: `${message_id}:0`,
    kind: 'user_message',
    // A running item is not printed for good, and its final position is not known yet.
    status: 'running',
    turn_id,
    created_at: sent_at,
    text: shortened(text),
    attachments: [],
    master: true,
    message_id,
  }));

/** The running turn stays in sight, however much waits behind it. */
function shortened(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS);
  return shown.length < text.length ? `${shown} …` : text;
}

const MAX_LINES = 3;
const MAX_CHARS = 240;
