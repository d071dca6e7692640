/** Takes a message in, stores it, and starts its turn or queues it. */
import { KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { TurnFeed } from '../feed/feed.ts';
import { findFiles } from '../files/attached.ts';
import type { ChatRecord, RunClaim, TraceContext, TurnParameters } from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { feedOf } from './feed-of.ts';
import { complete, hear } from './hearing.ts';
import { findRepeated, type Repeat } from './idempotency.ts';
import { takeIn } from './intake.ts';
import type { Queues } from './queues.ts';
import { newRecord, storeTurn } from './store-turn.ts';
import type { UnheardStarts } from './unheard-starts.ts';

export interface StartedTurn {
  turn_id: string;
  /** The id of the stored user message. */
  message_id: string;
  feed: TurnFeed;
  /** True where an idempotency key named an existing turn, so that its feed is read as a replay. */
  repeated: boolean;
}

/** What comes with a turn request beside its body. */
export interface Sent extends Repeat {
  trace?: TraceContext | undefined;
}

/** A turn that a schedule starts. */
export interface ScheduledRun {
  claim: RunClaim;
  parameters: Pick<TurnParameters, 'max_cost_usd' | 'schedule'>;
}

interface Start {
  chat: ChatRecord;
  request: TurnRequest;
  sent: Sent | undefined;
  run: ScheduledRun | undefined;
}

interface Places {
  queues: Queues;
  ended: EndedFeeds;
  unheard: Pick<UnheardStarts, 'failed'>;
  /** Aborted when the kernel stops, so that no start waits for a module any more. */
  closing: AbortSignal;
}

/**
 * One call at a time for each chat, whose turns have all been stored as far as they have ended.
 * @throws KernelError empty_message, unknown_model, unknown_file, tool_name_taken, invalid_value, turn_running,
 *   idempotency_mismatch
 */
export async function startTurn(
  { chat, request, sent = {}, run }: Start,
  { queues, ended, unheard, closing }: Places,
  services: TurnServices,
): Promise<StartedTurn> {
  const { store, models, toolbox, clock, histories, sleeper } = services;
  const { trace, ...repeat } = sent;
  const id = newId();
  const intake = takeIn(chat.id, id, request, models, toolbox, clock);
  Object.assign(intake.parameters, run?.parameters, trace && { trace });
  const { message, fingerprint } = intake;
  const files = await findFiles(request, store);
  const known = await findRepeated(chat.id, repeat, fingerprint, services);
  if (known) {
    const { id: turn_id, message_id } = known;
    return {
      turn_id,
      message_id,
      feed: await feedOf(known, queues, ended, store),
      repeated: true,
    };
  }
  const context = await hear(chat, request, intake, files, services, closing);
  const first = queues.current(chat.id) === null && sleeper.state === null;
  if (queues.current(chat.id) !== null && request.on_busy === 'reject') {
    throw new KernelError(
      'turn_running',
      'A turn of this chat is running; leave on_busy out to queue behind it.',
    );
  }
  await complete(chat, request, message, files, context, services);
  const status = first ? 'running' : sleeper.state === null ? 'queued' : 'sleeping';
  const record = newRecord(chat, { id, intake, status }, services);
  const turn = new RunningTurn(record, services);
  // Modules hear of the end of a turn even where it ends before it begins, so the context is needed now.
  turn.context = context;
  for (const { record: image, bytes } of intake.images) await store.images.save(image, bytes);
  // A run begins once nobody else can have claimed it.
  const readable = first && run === undefined && (await histories.canRead(chat.id));
  const stored = storeTurn(chat, turn, request, { intake, run: run?.claim, ...repeat }, services);
  if (readable) turn.beginUnstored(stored);
  else
    await stored.catch(async error => {
      if (!turn.life.isFenced) await unheard.failed(record);
      throw error;
    });
  if (run?.claim.chat) services.events.chatCreated(run.claim.chat);
  if (first) histories.append(chat.id, [message]);
  const queue = queues.of(chat.id);
  queue.add(turn, first);
  // What could not be stored has left the chat before anything else begins there.
  await stored.catch(async error => {
    await queue.left(turn);
    throw error;
  });
  return { turn_id: id, message_id: message.id, feed: turn.feed, repeated: false };
}
