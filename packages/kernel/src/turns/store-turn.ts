/** Creates the record of a new turn and stores it with its message and images. */
import { KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { selectEffort } from '../model/choice.ts';
import { NOTHING_USED } from '../model/pricing.ts';
import { type ChatRecord, isFenced, type RunClaim, type TurnEntry, type TurnRecord } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { AcceptedRequest } from './accept-request.ts';

interface NewTurn {
  id: string;
  intake: AcceptedRequest;
  /**
   * The first status. A running turn begins immediately, so its message gets its position in the chat; else the message
   * waits with its turn.
   */
  status: 'running' | 'queued' | 'sleeping';
  idempotencyKey?: string;
  run?: RunClaim | undefined;
  /** The messages that leave the chat for the turn. */
  replace?: TurnEntry['replace'] | undefined;
}

/** The record of a turn when it begins. */
export function newRecord(
  chat: ChatRecord,
  { id, intake, status }: NewTurn,
  { models, settings }: Pick<TurnServices, 'models' | 'settings'>,
): TurnRecord {
  const { message, parameters } = intake;
  const { created_at } = message;
  return {
    id,
    chat_id: chat.id,
    message_id: message.id,
    status,
    model: null,
    effort: selectEffort(chat, parameters, message, models, settings.llm.reasoning),
    created_at,
    started_at: status === 'running' ? created_at : null,
    ended_at: null,
    usage: NOTHING_USED,
    stop_reason: null,
    error: null,
    parameters,
    outside: [],
    sleep: null,
    checkpoint: null,
  };
}

/**
 * Stores a turn with its message, and returns the chat after that. When this resolves, all are on disk, and the message
 * may be acknowledged.
 * @throws KernelError kernel_away
 */
export async function storeTurn(
  chat: ChatRecord,
  turn: Pick<RunningTurn, 'held' | 'record' | 'writes'>,
  request: TurnRequest,
  {
    intake,
    idempotencyKey: key,
    run,
    replace,
  }: Pick<NewTurn, 'idempotencyKey' | 'intake' | 'replace' | 'run'>,
  { store, events, features }: Pick<TurnServices, 'store' | 'events' | 'features'>,
): Promise<ChatRecord> {
  const { held, record, writes } = turn;
  const { message, fingerprint } = intake;
  const { created_at } = message;
  const title = chat.title === null && request.chat_title !== undefined ? { title: request.chat_title } : {};
  const changes = { last_message_at: created_at, updated_at: created_at, ...title };
  if (title.title !== undefined) for (const feature of features) feature.chatNamed?.(chat.id);
  const created = store.turns.create(record, message, {
    place: record.status === 'running',
    chat: changes,
    ...(run && { run }),
    ...(replace && { replace }),
    held,
    ...(key !== undefined && { idempotency: { key, fingerprint, created_at } }),
  });
  await created.catch(error => {
    if (!isFenced(error)) throw error;
    writes.fence();
    throw new KernelError('kernel_away', 'The chat has moved to another kernel. Try again.');
  });
  const changed = { ...chat, ...changes };
  if (title.title !== undefined) events.chatUpdated(changed);
  return changed;
}
