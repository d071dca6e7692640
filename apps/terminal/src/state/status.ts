/** The status line's values, taken from the state. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { WORDS_OF_MODE } from '../machine/modes.ts';
import type { ConnectionStatus, ContextUse, Status, TurnState } from '../status/status-line.ts';
import type { AppState, KernelSleep, Notice } from './app-state.ts';
import { queuedHere } from './waiting-messages.ts';

export function statusOf(state: AppState): Status {
  const { chat, newChat } = state;
  const connection = connectionOf(state);
  const notice = noticeOf(state, connection);
  return {
    model: modelOf(state),
    effort: chat === null ? (newChat.effort ?? null) : chat.effort,
    context: contextOf(state),
    cost_usd: chat === null ? undefined : state.spend?.cost_usd,
    mode: WORDS_OF_MODE[state.mode],
    queued: queuedHere(state),
    connection,
    turn: turnOf(state),
    ...(notice !== null && { notice }),
    workdir: chat === null ? state.workdir : placeOf(chat),
    title: chat === null ? (newChat.title ?? null) : chat.title,
  };
}

/** Where the chat acts; before a colon stands the machine that does it for others. */
const placeOf = ({ hands, workdir }: NonNullable<AppState['chat']>): string | null =>
  hands === null ? workdir : `${hands}:${workdir ?? '~'}`;

function noticeOf(
  { approvals, chat, sending, notice }: AppState,
  { state }: ConnectionStatus,
): Notice | null {
  const asking = approvals[0]?.chat;
  if (asking !== undefined && asking.id !== chat?.id) {
    return { text: `Another chat asks: ${asking.title ?? 'untitled'}`, kind: 'info' };
  }
  if (sending > 0 && state === 'reconnecting') {
    return { text: 'Your message goes out as soon as the kernel answers.', kind: 'info' };
  }
  return notice;
}

/** Returns the id of the model for the next turn. */
export const modelOf = ({ chat, newChat, models }: AppState): string | null =>
  (chat === null ? newChat.model : chat.model) ?? models?.default_model ?? null;

function contextOf({ usage, spend, models }: AppState): ContextUse | null {
  const context_window = usage && models?.context_windows[usage.model];
  if (usage === null || spend === null || !context_window) return null;
  return { prompt_tokens: usage.prompt_tokens, prefix_tokens: spend.prefix_tokens, context_window };
}

/** A kernel that was lost stays lost during the next attempt to connect. */
export const isLost = ({ state }: ChatSnapshot['connection'], lost: boolean): boolean =>
  state === 'waiting' || (state === 'connecting' && lost);

function connectionOf({ chat, snapshot, eventsConnection, lost }: AppState): ConnectionStatus {
  if (snapshot.failure !== null) return { state: 'offline', reason: snapshot.failure.message };
  const connection = chat === null ? eventsConnection : snapshot.connection;
  switch (connection.state) {
    case 'open':
      return { state: 'connected' };
    case 'waiting':
      return { state: 'reconnecting', retry_at: connection.retry_at };
    case 'connecting':
      // The first attempt is too short to be worth a line.
      return lost ? { state: 'reconnecting', retry_at: Date.now() } : { state: 'connected' };
    case 'closed':
      return { state: 'offline', reason: 'closed' };
    default:
      return connection satisfies never;
  }
}

function turnOf({ snapshot, sleep, turn: seen, approvals }: AppState): TurnState {
  const { turn, busy, items, requests } = snapshot;
  if (turn === null || !busy) return sleep?.asleep ? asleep(sleep) : { state: 'idle' };
  if (turn.sleeping !== null) return asleep(turn.sleeping);
  if (turn.status === 'queued') return { state: 'queued', position: turn.position ?? 0 };
  const started_at = seen?.started_at ?? Date.now();
  if (turn.compacting) return { state: 'compacting', started_at };
  const asks = approvals.length > 0 || requests.some(({ kind }) => kind === 'question');
  if (asks) return { state: 'running', started_at, doing: 'waiting for an answer' };
  return { state: 'running', started_at, doing: doingOf(items) };
}

function doingOf(items: ChatSnapshot['items']): string {
  const open = items.findLast(({ status }) => status === 'running');
  if (open === undefined) return 'working';
  switch (open.kind) {
    case 'thinking':
      return 'thinking';
    case 'agent_message':
      return 'writing';
    case 'tool_call':
      return open.name;
    case 'user_message':
    case 'client_op':
    case 'image':
    case 'compaction':
    case 'machine_note':
    case 'plan':
      return 'working';
    default:
      open satisfies never;
      return 'working';
  }
}

const asleep = (sleep: Omit<KernelSleep, 'asleep'>): TurnState => ({
  state: 'sleeping',
  since: sleep.since ?? new Date().toISOString(),
  until: sleep.until,
  reason: sleep.reason,
});
