/**
 * Stores a new turn with its message and images. When this resolves all is on disk, and the message may be
 * acknowledged.
 */
import type { TurnRequest } from '@chat-kernel/protocol';
import { effortOf } from '../model/choice.ts';
import { NOTHING_USED } from '../model/pricing.ts';
import type { ChatRecord, TurnRecord } from '../ports/index.ts';
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
}

export async function storeTurn(
  chat: ChatRecord,
  request: TurnRequest,
  { id, intake, status, idempotencyKey: key }: NewTurn,
  services: Pick<TurnServices, 'store' | 'events' | 'titles' | 'models' | 'settings'>,
): Promise<TurnRecord> {
  const { store, events, titles, models, settings } = services;
  const { message, parameters, images, fingerprint } = intake;
  const { created_at } = message;
  const first = status === 'running';
  const record: TurnRecord = {
    id,
    chat_id: chat.id,
    message_id: message.id,
    status,
    model: null,
    effort: effortOf(chat, parameters, message, models, settings.llm.reasoning),
    created_at,
    started_at: first ? created_at : null,
    ended_at: null,
    usage: NOTHING_USED,
    stop_reason: null,
    error: null,
    parameters,
    sleep: null,
    checkpoint: null,
  };
  const title = chat.title === null && request.chat_title !== undefined ? { title: request.chat_title } : {};
  const changes = { last_message_at: created_at, updated_at: created_at, ...title };
  if (title.title !== undefined) titles.named(chat.id);
  for (const { record: image, bytes } of images) await store.images.save(image, bytes);
  await store.turns.create(record, message, {
    place: first,
    chat: changes,
    ...(key !== undefined && { idempotency: { key, fingerprint, created_at } }),
  });
  if (title.title !== undefined) events.chatUpdated({ ...chat, ...changes });
  return record;
}
