/** The record of a new turn, and its way to the disk with its message and images. */
import { KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { effortOf } from '../model/choice.ts';
import { NOTHING_USED } from '../model/pricing.ts';
import { type ChatRecord, isFenced, type RunClaim, type TurnRecord } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Intake } from './intake.ts';

interface NewTurn {
  id: string;
  intake: Intake;
  /**
   * The first status. A running turn begins at once, so its message takes its place in the chat; else the message
   * waits with its turn.
   */
  status: 'running' | 'queued' | 'sleeping';
  idempotencyKey?: string;
  run?: RunClaim | undefined;
}

/** The record of a turn as it begins. */
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
    effort: effortOf(chat, parameters, message, models, settings.llm.reasoning),
    created_at,
    started_at: status === 'running' ? created_at : null,
    ended_at: null,
    usage: NOTHING_USED,
    stop_reason: null,
    error: null,
    parameters,
    sleep: null,
    checkpoint: null,
  };
}

/**
 * Stores a turn with its message. When this resolves all is on disk, and the message may be acknowledged.
 * @throws KernelError kernel_away
 */
export async function storeTurn(
  chat: ChatRecord,
  turn: Pick<RunningTurn, 'epoch' | 'fence' | 'record'>,
  request: TurnRequest,
  { intake, idempotencyKey: key, run }: Pick<NewTurn, 'idempotencyKey' | 'intake' | 'run'>,
  { store, events, titles }: Pick<TurnServices, 'store' | 'events' | 'titles'>,
): Promise<void> {
  const { record, epoch } = turn;
  const { message, fingerprint } = intake;
  const { created_at } = message;
  const title = chat.title === null && request.chat_title !== undefined ? { title: request.chat_title } : {};
  const changes = { last_message_at: created_at, updated_at: created_at, ...title };
  if (title.title !== undefined) titles.named(chat.id);
  const created = store.turns.create(record, message, {
    place: record.status === 'running',
    chat: changes,
    ...(run && { run }),
    epoch,
    ...(key !== undefined && { idempotency: { key, fingerprint, created_at } }),
  });
  await created.catch(error => {
    if (!isFenced(error)) throw error;
    turn.fence();
    throw new KernelError('kernel_away', 'The chat has another owner by now: try again.');
  });
  if (title.title !== undefined) events.chatUpdated({ ...chat, ...changes });
}
