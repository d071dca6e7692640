/** Messages of this client whose turns have not begun: until then they are in no history, and shown from here. */
import { type Item, KernelApiError, type KernelClient } from '@chat-kernel/client';
import type { AppState, Waiting } from './app-state.ts';
import type { Store } from './store.ts';

/** Those of the chat on the screen, the oldest first. */
export function waitingHere({ waiting, chat, snapshot: { items } }: AppState): readonly Waiting[] {
  if (waiting.length === 0) return waiting;
  const begun = new Set(items.filter(({ kind }) => kind === 'user_message').map(({ turn_id }) => turn_id));
  return waiting.filter(({ chat_id, turn_id }) => chat_id === chat?.id && !begun.has(turn_id));
}

/** How many turns of them come after the one that runs. */
export const queuedHere = (state: AppState): number =>
  waitingHere(state).filter(({ turn_id, behind }) => behind && turn_id !== state.snapshot.turn?.turn_id)
    .length;

/** As the last items of the chat; under the key that they will have in its history. */
export const waitingItems = (state: AppState): Item[] =>
  waitingHere(state).map(({ turn_id, message_id, text, sent_at }) => ({
    id: `${message_id}:0`,
    kind: 'user_message',
    // Nothing is printed for good before its place is known.
    status: 'running',
    turn_id,
    created_at: sent_at,
    text: brief(text),
    attachments: [],
    master: true,
    message_id,
  }));

/** What runs should stay in sight, however much waits behind it. */
function brief(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, BRIEF_LINES).join('\n').slice(0, BRIEF_CHARS);
  return shown.length < text.length ? `${shown} …` : text;
}

const BRIEF_LINES = 3;
const BRIEF_CHARS = 240;

/** Asks which of them still wait: others may have begun elsewhere, or were dropped. @throws BrokenLine */
export async function recount(client: KernelClient, store: Store<AppState>): Promise<void> {
  const over: Waiting[] = [];
  for (const each of store.get().waiting) {
    if (!(await isWaiting(client, each))) over.push(each);
  }
  if (over.length === 0) return;
  store.set({ waiting: store.get().waiting.filter(each => !over.includes(each)) });
}

async function isWaiting(client: KernelClient, { chat_id, turn_id }: Waiting): Promise<boolean> {
  try {
    const { status } = await client.getTurn(chat_id, turn_id);
    return status === 'queued' || status === 'sleeping';
  } catch (error) {
    // Gone with its chat.
    if (error instanceof KernelApiError) return false;
    throw error;
  }
}
