/** Accepts a message, finds its sender, attaches its files, stores it, and starts or queues its turn. */
import { KernelError, type TurnContext, type TurnEnd, type TurnRequest } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import { runsOnClient } from '../client-machine/select-machine.ts';
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { TurnFeed } from '../feed/feed.ts';
import { rebuildFeed } from '../feed/rebuild.ts';
import { fileBlock, findFiles, unplacedFileBlock } from '../files/attached.ts';
import { findPerson, getSenderName, resolveTrust } from '../persons/persons.ts';
import type {
  ChatRecord,
  FileRecord,
  NewMessage,
  RunClaim,
  Store,
  TraceContext,
  TurnParameters,
  TurnRecord,
} from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { passMessage } from '../turn/stages.ts';
import { buildTurnContext } from '../turn/turn-context.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { type AcceptedRequest, acceptRequest, ignoredTools, markContext } from './accept-request.ts';
import type { Places } from './after-turn.ts';
import { findRepeated, type Repeat } from './idempotency.ts';
import type { Queues } from './queues.ts';
import type { Replacement } from './retry.ts';
import { newRecord, storeTurn } from './store-turn.ts';

export interface StartedTurn {
  turn_id: string;
  /** The id of the stored user message. */
  message_id: string;
  feed: TurnFeed;
  /** True if an idempotency key named an existing turn, so that its feed is read as a replay. */
  repeated: boolean;
  /** The entries of `tools` that match neither a tool nor a group. */
  ignored_tools: string[];
}

/** The parts of a turn request besides its body. */
export interface Sent extends Repeat {
  trace?: TraceContext | undefined;
}

export interface ScheduledRun {
  claim: RunClaim;
  parameters: Pick<TurnParameters, 'grants' | 'max_cost_usd' | 'schedule'>;
}

interface Start {
  chat: ChatRecord;
  request: TurnRequest;
  sent: Sent | undefined;
  run: ScheduledRun | undefined;
  /** Absent unless the turn is a retry. */
  replacement?: Replacement | undefined;
}

/**
 * Accepts a request and starts or queues its turn. The caller makes one call at a time for each chat, after the ends of
 * its earlier turns are stored.
 * @param closing aborted when the kernel stops, so that starts no longer wait for modules
 * @throws KernelError empty_message, unknown_model, unknown_file, tool_name_taken, invalid_value, turn_running,
 * idempotency_mismatch
 */
export async function startTurn(
  { chat, request, sent = {}, run, replacement }: Start,
  { queues, ended, unheard }: Pick<Places, 'ended' | 'queues' | 'unheard'>,
  services: TurnServices,
  closing: AbortSignal,
): Promise<StartedTurn> {
  const { store, models, toolbox, clock, histories, sleeper } = services;
  const { trace, ...repeat } = sent;
  const id = newId();
  const intake = await acceptRequest(chat.id, id, request, models, toolbox, clock, replacement);
  Object.assign(intake.parameters, run?.parameters, trace && { trace });
  const { message, fingerprint } = intake;
  const ignored_tools = ignoredTools(request, toolbox);
  const files = await findFiles(request, store);
  const repeated = await findStarted(chat.id, request, fingerprint, repeat, { queues, ended }, services);
  if (repeated) return repeated;
  const context = await resolveSender(chat, request, intake, files, services, closing);
  const first = queues.current(chat.id) === null && sleeper.state === null;
  if (queues.current(chat.id) !== null && request.on_busy === 'reject') {
    throw new KernelError(
      'turn_running',
      'A turn of this chat is running. To queue behind it, leave out on_busy.',
    );
  }
  await attachFiles(chat, request, message, files, context, services);
  await replacement?.prepare();
  const status = first ? 'running' : sleeper.state === null ? 'queued' : 'sleeping';
  const record = newRecord(chat, { id, intake, status }, services);
  const turn = new RunningTurn(record, services);
  // Modules are notified even if the turn ends before it begins, so the context is needed now.
  turn.context = context;
  for (const { record: image, bytes } of intake.images) await store.images.save(image, bytes);
  const replace = replacement?.entry;
  try {
    const stored = await storeTurn(
      chat,
      turn,
      request,
      { intake, run: run?.claim, replace, ...repeat },
      services,
    );
    // One that waits begins later, and a retry has changed more.
    if (first && !replacement) turn.chat = stored;
  } catch (error) {
    if (!turn.life.isFenced) await unheard.failed(record);
    throw error;
  } finally {
    if (replace) forgetReplaced(chat.id, replace.version.id, ended, services);
  }
  if (replace) services.events.chatUpdated((await store.chats.get(chat.id)) ?? chat);
  if (run?.claim.chat) services.events.chatCreated(run.claim.chat);
  if (first) histories.append(chat.id, [message]);
  queues.of(chat.id).add(turn, first);
  return { turn_id: id, message_id: message.id, feed: turn.feed, repeated: false, ignored_tools };
}

/**
 * The turn that an earlier start of this request created; undefined if the request is new.
 * @throws KernelError idempotency_mismatch
 */
export async function findStarted(
  chatId: string,
  request: TurnRequest,
  fingerprint: string,
  repeat: Repeat,
  { queues, ended }: Pick<Places, 'ended' | 'queues'>,
  services: TurnServices,
): Promise<StartedTurn | undefined> {
  const known = await findRepeated(chatId, repeat, fingerprint, services);
  if (known === undefined) return undefined;
  return {
    turn_id: known.id,
    message_id: known.message_id,
    feed: await findFeed(known, queues, ended, services.store),
    repeated: true,
    ignored_tools: ignoredTools(request, services.toolbox),
  };
}

/**
 * Forgets the events and the history of messages that have left a chat, also if only the answer of the store was lost.
 */
function forgetReplaced(
  chatId: string,
  messageId: string,
  ended: EndedFeeds,
  { histories, events }: Pick<TurnServices, 'events' | 'histories'>,
): void {
  histories.forget(chatId);
  ended.forget(chatId);
  events.historyChanged(chatId, messageId);
}

/** The feed of a turn that is running, has just ended, or ended long ago. */
async function findFeed(
  record: TurnRecord,
  queues: Pick<Queues, 'turn'>,
  ended: Pick<EndedFeeds, 'get'>,
  { messages }: Pick<Store, 'messages'>,
): Promise<TurnFeed> {
  const { id, chat_id } = record;
  return (
    queues.turn(chat_id, id)?.feed ??
    ended.get(id) ??
    rebuildFeed(record as TurnRecord & { status: TurnEnd }, await messages.listOfTurn(chat_id, id))
  );
}

/** Determines the speaker and passes the message through the modules, which may change it. */
async function resolveSender(
  chat: ChatRecord,
  request: TurnRequest,
  { message, parameters }: AcceptedRequest,
  files: readonly FileRecord[],
  { store, stages }: Pick<TurnServices, 'stages' | 'store'>,
  signal: AbortSignal,
): Promise<TurnContext> {
  const person = await findPerson(request.person_id, store);
  if (person !== undefined) message.sender ??= getSenderName(person);
  const { sender } = message;
  const { guest = false, anchor } = request;
  if (anchor?.module !== undefined) stages.anchorSetBy(anchor.module);
  const context = buildTurnContext(chat.id, request, sender, resolveTrust({ sender, guest, person }));
  const blocked = await passMessage(message, files, context, stages, signal);
  if (blocked) parameters.blocked = blocked;
  return context;
}

/** Adds to the message what depends on the speaker: marks, and the paths of its files. */
async function attachFiles(
  chat: ChatRecord,
  request: TurnRequest,
  message: NewMessage,
  files: readonly FileRecord[],
  context: TurnContext,
  services: Pick<TurnServices, 'log' | 'machines' | 'store'>,
): Promise<void> {
  if (!context.trusted) markContext(message);
  const onClient = runsOnClient(request, chat);
  const placed = context.trusted && request.machine !== 'none';
  for (const file of files) {
    message.content.push(
      placed ? await fileBlock(file, chat, onClient, services) : unplacedFileBlock(file, context),
    );
  }
  const [first] = message.content;
  if (request.outside !== undefined && first !== undefined)
    first.internal = { ...first.internal, outside: request.outside };
  if (context.master && message.sender !== undefined && first !== undefined) {
    first.internal = { ...first.internal, master: true };
  }
}
