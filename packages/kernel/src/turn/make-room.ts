/** Keeps a turn inside the window of its model: old outputs are squeezed, older history is folded. */
import { newId } from '../base/ids.ts';
import { fold, rememberedFor } from '../compaction/fold.ts';
import { planFold } from '../compaction/plan.ts';
import { type Room, roomIn } from '../compaction/room.ts';
import { type History, withoutSummary } from '../history/histories.ts';
import { staleState } from '../history/known-state.ts';
import { planSqueeze } from '../history/squeeze.ts';
import { tokensOf } from '../model/token-estimate.ts';
import { type NewMessage, type StoredBlock, timestamp } from '../ports/index.ts';
import { isReached } from '../spend/caps.ts';
import type { Reservation } from '../spend/reservations.ts';
import { mayTrip } from './check-caps.ts';
import { costOfFold } from './cost-of-trip.ts';
import { prefixTokens } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

type WindowSetup = Pick<TurnSetup, 'chat' | 'model' | 'system' | 'tools'>;

/**
 * Makes room before a trip where it is needed; returns whether there is more of it now.
 * @param refused true where the provider refused the last request as too long: there is less room than was thought
 */
export async function makeRoom(
  turn: RunningTurn,
  setup: WindowSetup,
  services: Pick<
    TurnServices,
    'clock' | 'events' | 'log' | 'memory' | 'requests' | 'settings' | 'spending' | 'store' | 'toolbox'
  >,
  { refused }: { refused: boolean },
): Promise<boolean> {
  const room = roomIn(setup.model.record, setup.chat.compaction, services.settings.compaction.at);
  if (room === null) return false;
  const tokens = await weigh(turn, setup);
  const limit = refused ? Math.min(room.limit, tokens) / 2 : room.limit;
  if (tokens <= limit) return false;
  const squeezed =
    turn.window.hasResults && (await squeeze(turn, tokens - Math.min(room.squeezed, limit), services));
  if (squeezed && (await weigh(turn, setup)) <= limit) return true;
  const keep = Math.min(room.keep, limit / 2);
  const allow = () => mayTrip(turn, () => costOfFold(turn, setup), services);
  if (!(await foldInto(turn, setup, { ...room, keep }, services, allow))) return squeezed;
  if (turn.context.trusted) await appendStaleState(turn, services);
  return true;
}

/**
 * Folds before the end of a turn where it is needed, so that the next turn begins with room. At a cap this is left to
 * the next turn, which can ask the master.
 */
export async function makeRoomAtEnd(
  turn: RunningTurn,
  setup: TurnSetup,
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'memory' | 'settings' | 'spending' | 'store'>,
): Promise<void> {
  if (services.spending.of(turn).some(isReached)) return;
  const room = roomIn(setup.model.record, setup.chat.compaction, services.settings.compaction.at);
  if (room === null || (await weigh(turn, setup)) <= room.limit) return;
  await turn.store(turn.step.takeReply());
  await foldInto(turn, setup, room, services, async () => {
    const given = await services.spending.reserve(turn, () => costOfFold(turn, setup), turn.signal);
    return 'of' in given ? null : given;
  });
}

/**
 * The tokens of the next request, about: those that the provider counted last, and an estimate for what came since.
 */
async function weigh(turn: RunningTurn, setup: WindowSetup): Promise<number> {
  if (turn.window.tokens === null) {
    const { messages } = await turn.history();
    turn.window.estimated(prefixTokens(setup) + tokensOf(messages));
  }
  return turn.window.tokens as number;
}

/**
 * Squeezes old outputs. The squeeze is an entry of the history: outputs stay squeezed in later turns, and nothing is
 * lost (HIST-2).
 */
async function squeeze(
  turn: RunningTurn,
  tokens: number,
  services: Pick<TurnServices, 'clock' | 'toolbox'>,
): Promise<boolean> {
  const { messages } = await turn.history();
  const { call_ids, freed_chars } = planSqueeze(messages, tokens, name =>
    services.toolbox.hasOutsideEffect(name),
  );
  if (call_ids.length === 0) return false;
  const before = turn.window.tokens as number;
  await turn.store([
    entryOf([{ type: 'context', text: '', internal: { squeezed: call_ids } }], turn, services),
  ]);
  turn.window.squeezed(before, freed_chars);
  turn.feed.squeezed(freed_chars);
  return true;
}

/**
 * Folds older history; returns false where no summary came, and the turn then goes on with everything as it was.
 * @param allow reserves what it may cost; null: it may not
 * @throws the cause that ends the turn
 */
async function foldInto(
  turn: RunningTurn,
  setup: WindowSetup,
  room: Room,
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'memory' | 'store'>,
  allow: () => Promise<Reservation | null>,
): Promise<boolean> {
  if (turn.window.foldFailed) return false;
  const history = await turn.history();
  const plan = planFold(withoutSummary(history), room.keep);
  if (plan === null) return false;
  const reservation = await allow();
  if (reservation === null) return false;
  try {
    return await foldBy(plan, history, turn, setup, services);
  } finally {
    reservation.free();
  }
}

async function foldBy(
  plan: NonNullable<ReturnType<typeof planFold>>,
  history: History,
  turn: RunningTurn,
  setup: WindowSetup,
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'memory' | 'store'>,
): Promise<boolean> {
  const { clock, log, store, events } = services;
  const { id: turn_id, chat_id } = turn.record;
  turn.feed.compacting();
  const folded = await fold(
    {
      chat_id,
      turn_id,
      messages: plan.fold,
      sofar: history.summary,
      remembered:
        turn.context.master && turn.context.trusted
          ? rememberedFor(plan.fold, setup.chat, services.memory)
          : null,
      model: setup.model,
      trace: turn.trace,
      clock,
      spend: usage => turn.recordSpend(usage),
    },
    turn.signal,
  ).catch(error => {
    turn.signal.throwIfAborted();
    turn.window.failedToFold();
    log.warn({ err: error, turn_id }, 'history could not be folded');
    return null;
  });
  if (folded === null) return false;
  turn.signal.throwIfAborted();
  turn.window.folded();
  // Where this write fails, the last one of the turn carries it, so the marker is shown in any case.
  await turn
    .store([folded.marker], { summary: folded.summary, context_tokens: 0 })
    .finally(() => turn.feed.entry(folded.marker.content[0] as StoredBlock, folded.marker.created_at));
  await services.memory.learn(folded.learned, { chat_id, turn_id, epoch: turn.epoch }, services.log);
  const chat = await store.chats.get(chat_id);
  if (chat !== undefined) events.chatUpdated(chat);
  return true;
}

/** Appends the plan, the notebook and the memory where the fold took them away: the turn goes on and may need them. */
async function appendStaleState(
  turn: RunningTurn,
  services: Pick<TurnServices, 'clock' | 'memory' | 'store'>,
): Promise<void> {
  const chat = await services.store.chats.get(turn.record.chat_id);
  const content =
    chat === undefined ? [] : staleState(chat, (await turn.history()).told, services.memory.forChat(chat));
  if (content.length > 0) await turn.store([entryOf(content, turn, services)]);
}

/** A message for the model alone. */
function entryOf(
  content: StoredBlock[],
  { record }: RunningTurn,
  { clock }: Pick<TurnServices, 'clock'>,
): NewMessage {
  return {
    id: newId(),
    chat_id: record.chat_id,
    role: 'user',
    turn_id: record.id,
    content,
    created_at: timestamp(clock),
    status: 'completed',
  };
}
