/** Computes the values of the status line from the state. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { WORDS_OF_MODE } from '../machine/modes.ts';
import type { ConnectionStatus, ContextUse, Status, TurnState } from '../status/status-line.ts';
import type { AppState, KernelSleep, Notice } from './app-state.ts';
import { queuedHere } from './waiting-messages.ts';

export function buildStatus(state: AppState): Status {
  const { chat, newChat } = state;
  const connection = toConnectionStatus(state);
  const notice = selectNotice(state, connection);
  return {
    model: selectModel(state) ?? (state.models === null ? undefined : null),
    effort: chat === null ? (newChat.effort ?? null) : chat.effort,
    context: toContextUse(state),
    cost_usd: chat === null ? undefined : state.spend?.cost_usd,
    mode: WORDS_OF_MODE[state.mode],
    queued: queuedHere(state),
    connection,
    turn: toTurnState(state),
    ...(notice !== null && { notice }),
    workdir: chat === null ? state.workdir : formatWorkdir(chat),
    title: chat === null ? (newChat.title ?? null) : chat.title,
  };
}

/** The working directory, prefixed with the name of another machine and a colon. */
const formatWorkdir = ({ hands, workdir }: NonNullable<AppState['chat']>): string | null =>
  hands === null ? workdir : `${hands}:${workdir ?? '~'}`;

function selectNotice(
  { approvals, chat, sending, notice }: AppState,
  { state }: ConnectionStatus,
): Notice | null {
  const asking = approvals[0]?.chat;
  if (asking !== undefined && asking.id !== chat?.id) {
    return { text: `Approval needed in another chat: ${asking.title ?? 'untitled'}`, kind: 'info' };
  }
  if (sending > 0 && state === 'reconnecting') {
    return { text: 'Your message will be sent after reconnecting.', kind: 'info' };
  }
  return notice;
}

/** Returns the id of the model for the next turn. */
export const selectModel = ({ chat, newChat, models }: AppState): string | null =>
  (chat === null ? newChat.model : chat.model) ?? models?.default_model ?? null;

function toContextUse({ usage, spend, models }: AppState): ContextUse | null {
  const context_window = usage && models?.context_windows[usage.model];
  if (usage === null || spend === null || !context_window) return null;
  return { prompt_tokens: usage.prompt_tokens, prefix_tokens: spend.prefix_tokens, context_window };
}

/** Whether the connection is lost, including during the next attempt to connect. */
export const isLost = ({ state }: ChatSnapshot['connection'], lost: boolean): boolean =>
  state === 'waiting' || (state === 'connecting' && lost);

function toConnectionStatus({ chat, snapshot, eventsConnection, lost }: AppState): ConnectionStatus {
  if (snapshot.failure !== null) return { state: 'offline', reason: snapshot.failure.message };
  const connection = chat === null ? eventsConnection : snapshot.connection;
  switch (connection.state) {
    case 'open':
      return { state: 'connected' };
    case 'waiting':
      return { state: 'reconnecting', retry_at: connection.retry_at };
    case 'connecting':
      // Do not show the first attempt, which is short.
      return lost ? { state: 'reconnecting', retry_at: Date.now() } : { state: 'connected' };
    case 'closed':
      return { state: 'offline', reason: 'closed' };
    default:
      return connection satisfies never;
  }
}

function toTurnState({ snapshot, sleep, turn: seen, approvals }: AppState): TurnState {
  const { turn, busy, items, requests } = snapshot;
  if (turn === null || !busy) return sleep?.asleep ? asleep(sleep) : { state: 'idle' };
  if (turn.sleeping !== null) return asleep(turn.sleeping);
  if (turn.status === 'queued') return { state: 'queued', position: turn.position ?? 0 };
  const started_at = seen?.started_at ?? Date.now();
  if (turn.compacting) return { state: 'compacting', started_at };
  if (turn.provider_wait !== null) return { state: 'provider_wait', started_at, ...turn.provider_wait };
  const asks = approvals.length > 0 || requests.some(({ kind }) => kind === 'question');
  if (asks) return { state: 'running', started_at, doing: 'waiting for your answer' };
  return { state: 'running', started_at, doing: describeActivity(items) };
}

function describeActivity(items: ChatSnapshot['items']): string {
  const open = items.findLast(({ status }) => status === 'running');
  if (open === undefined) return 'working';
  switch (open.kind) {
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

const asleep = (sleep: Omit<KernelSleep, 'asleep'>): TurnState => ({
  state: 'sleeping',
  since: sleep.since ?? new Date().toISOString(),
  until: sleep.until,
  reason: sleep.reason,
});
