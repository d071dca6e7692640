/** What the status line says, of what the client knows. */
import type { ChatSnapshot } from '@chat-kernel/client';
import type { Connection, ContextUse, Status, TurnState } from '../status/status-line.ts';
import type { AppState, Notice } from './app-state.ts';
import { queuedHere } from './waiting-messages.ts';

export function statusOf(state: AppState): Status {
  const { chat, wanted } = state;
  const connection = connectionOf(state);
  const notice = noticeOf(state, connection);
  return {
    model: modelOf(state),
    effort: chat === null ? (wanted.effort ?? null) : chat.effort,
    context: contextOf(state),
    cost_usd: chat === null ? undefined : state.spend?.cost_usd,
    queued: queuedHere(state),
    connection,
    turn: turnOf(state),
    ...(notice !== null && { notice }),
    workdir: chat === null ? state.workdir : chat.workdir,
    title: chat === null ? (wanted.title ?? null) : chat.title,
  };
}

function noticeOf({ approvals, chat, sending, notice }: AppState, { state }: Connection): Notice | null {
  const asking = approvals[0]?.chat;
  if (asking !== undefined && asking.id !== chat?.id) {
    return { text: `Another chat asks: ${asking.title ?? 'untitled'}`, kind: 'info' };
  }
  if (sending > 0 && state === 'reconnecting') {
    return { text: 'Your message goes out as soon as the kernel answers.', kind: 'info' };
  }
  return notice;
}

/** The id of the model that the next turn runs on. */
export const modelOf = ({ chat, wanted, models }: AppState): string | null =>
  (chat === null ? wanted.model : chat.model) ?? models?.default_model ?? null;

function contextOf({ usage, spend, models }: AppState): ContextUse | null {
  const context_window = usage && models?.context_windows[usage.model];
  if (usage === null || spend === null || !context_window) return null;
  return { prompt_tokens: usage.prompt_tokens, prefix_tokens: spend.prefix_tokens, context_window };
}

/** An attempt to find it again is not yet a connection. */
export const isLost = ({ state }: ChatSnapshot['connection'], lost: boolean): boolean =>
  state === 'waiting' || (state === 'connecting' && lost);

function connectionOf({ chat, snapshot, line, lost }: AppState): Connection {
  if (snapshot.failure !== null) return { state: 'offline', reason: snapshot.failure.message };
  const connection = chat === null ? line : snapshot.connection;
  switch (connection.state) {
    case 'open':
      return { state: 'connected' };
    case 'waiting':
      return { state: 'reconnecting', retry_at: connection.retry_at };
    case 'connecting':
      // The first one takes no time worth a line.
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
  switch (open?.kind) {
    case 'thinking':
      return 'thinking';
    case 'agent_message':
      return 'writing';
    case 'tool_call':
      return open.name;
    default:
      return 'working';
  }
}

const asleep = (sleep: { since: string | null; until: string | null; reason: string | null }): TurnState => ({
  state: 'sleeping',
  since: sleep.since ?? new Date().toISOString(),
  until: sleep.until,
  reason: sleep.reason,
});
