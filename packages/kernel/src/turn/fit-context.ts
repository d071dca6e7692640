/** Keeps a turn inside the context window of its model: truncates old tool output and compacts older history. */
import { newId } from '../base/ids.ts';
import { type ContextBudget, roomIn } from '../compaction/context-budget.ts';
import { findLearning, fold, knownBefore } from '../compaction/fold.ts';
import { planFold } from '../compaction/plan.ts';
import { type History, withoutSummary } from '../history/histories.ts';
import { staleState } from '../history/known-state.ts';
import { planSqueeze } from '../history/squeeze.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import { type NewMessage, type StoredBlock, timestamp } from '../ports/index.ts';
import { isReached } from '../spend/caps.ts';
import type { Reservation } from '../spend/reservations.ts';
import { mayTrip } from './check-caps.ts';
import { estimateFoldCost } from './estimate-request-cost.ts';
import { prefixTokens } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

type WindowSetup = Pick<TurnSetup, 'chat' | 'model' | 'system' | 'tools'>;

/**
 * Reduces the context before a provider request if needed; returns whether the next request is smaller now.
 * @param refused true if the provider rejected the last request as too long, so the window is smaller than assumed
 */
export async function fitContext(
  turn: RunningTurn,
  setup: WindowSetup,
  services: Pick<
    TurnServices,
    'clock' | 'events' | 'log' | 'features' | 'requests' | 'settings' | 'spending' | 'store' | 'toolbox'
  >,
  { refused }: { refused: boolean },
): Promise<boolean> {
  const room = roomIn(setup.model.record, setup.chat.compaction, services.settings.compaction.at);
  if (room === null) return false;
  const tokens = await weigh(turn, setup);
  const limit = refused ? Math.min(room.limit, tokens) / 2 : room.limit;
  if (tokens <= limit) return false;
  const squeezed =
    turn.model.window.hasResults && (await squeeze(turn, tokens - Math.min(room.squeezed, limit), services));
  if (squeezed && (await weigh(turn, setup)) <= limit) return true;
  const keep = Math.min(room.keep, limit / 2);
  const allow = () => mayTrip(turn, () => estimateFoldCost(turn, setup), services);
  if (!(await foldInto(turn, setup, { ...room, keep }, services, allow))) return squeezed;
  if (turn.context.trusted) await appendStaleState(turn, services);
  return true;
}

/**
 * Compacts before the end of a turn if needed, so that the next turn starts with a smaller context. At a cap the next
 * turn does this instead, because it can ask the user.
 */
export async function makeRoomAtEnd(
  turn: RunningTurn,
  setup: TurnSetup,
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'features' | 'settings' | 'spending' | 'store'>,
): Promise<void> {
  if (services.spending.of(turn).some(isReached)) return;
  const room = roomIn(setup.model.record, setup.chat.compaction, services.settings.compaction.at);
  if (room === null || (await weigh(turn, setup)) <= room.limit) return;
  await turn.store(turn.step.takeReply());
  await foldInto(turn, setup, room, services, async () => {
    const reservation = await services.spending.reserve(
      turn,
      () => estimateFoldCost(turn, setup),
      turn.signal,
    );
    return 'of' in reservation ? null : reservation;
  });
}

/** The estimated tokens of the next request: the last count of the provider and an estimate for the messages since. */
async function weigh(turn: RunningTurn, setup: WindowSetup): Promise<number> {
  if (turn.model.window.tokens === null) {
    const { messages } = await turn.history();
    turn.model.window.estimated(prefixTokens(setup) + estimateMessageTokens(messages));
  }
  return turn.model.window.tokens as number;
}

/**
 * Truncates old tool output. The history records this as an entry, so the output stays truncated in later turns, and
 * the original is kept (HIST-2).
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
  const before = turn.model.window.tokens as number;
  await turn.store([
    buildEntry([{ type: 'context', text: '', internal: { squeezed: call_ids } }], turn, services),
  ]);
  turn.model.window.squeezed(before, freed_chars);
  turn.feed.squeezed(freed_chars);
  return true;
}

/**
 * Compacts older history; returns false if no summary was created: the turn then continues unchanged.
 * @param allow reserves the possible cost; null: not permitted
 * @throws the cause that ends the turn
 */
async function foldInto(
  turn: RunningTurn,
  setup: WindowSetup,
  room: ContextBudget,
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'features' | 'store'>,
  allow: () => Promise<Reservation | null>,
): Promise<boolean> {
  if (turn.model.window.foldFailed) return false;
  const history = await turn.history();
  const plan = planFold(withoutSummary(history), room.keep, {
    privateTools: findLearning(services.features)?.privateTools,
  });
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
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'features' | 'store'>,
): Promise<boolean> {
  const { clock, log, store, events } = services;
  const { id: turn_id, chat_id } = turn.record;
  const learning = findLearning(services.features);
  turn.feed.compacting();
  const folded = await fold(
    {
      chat_id,
      turn_id,
      messages: plan.fold,
      sofar: history.summary,
      outside: history.outside,
      learning,
      known:
        turn.context.master && turn.context.trusted ? knownBefore(plan.fold, setup.chat, learning) : null,
      model: setup.model,
      trace: turn.trace,
      onWait: turn.model.onProviderWait,
      clock,
      spend: usage => turn.model.recordSpend(usage),
    },
    turn.signal,
  ).catch(error => {
    turn.signal.throwIfAborted();
    turn.model.window.failedToFold();
    log.warn({ err: error, turn_id }, 'compaction failed');
    return null;
  });
  if (folded === null) return false;
  turn.signal.throwIfAborted();
  turn.model.window.folded();
  // If this write fails, the last write of the turn repeats it, so the marker is shown in any case.
  await turn
    .store([folded.marker], { summary: folded.summary, context_tokens: 0 })
    .finally(() => turn.feed.entry(folded.marker.content[0] as StoredBlock, folded.marker.created_at));
  const { outside = [] } = folded.summary;
  await learning?.learn(folded.learned, { chat_id, turn_id, epoch: turn.writes.epoch, outside }, log);
  const chat = await store.chats.get(chat_id);
  if (chat !== undefined) events.chatUpdated(chat);
  events.historyChanged(chat_id, folded.marker.id);
  return true;
}

/** Appends the plan and the states of features again if the compaction removed them: the turn may need them. */
async function appendStaleState(
  turn: RunningTurn,
  services: Pick<TurnServices, 'clock' | 'features' | 'store'>,
): Promise<void> {
  const chat = await services.store.chats.get(turn.record.chat_id);
  const content = chat === undefined ? [] : staleState(chat, (await turn.history()).told, services.features);
  if (content.length > 0) await turn.store([buildEntry(content, turn, services)]);
}

/** A message that only the model sees. */
function buildEntry(
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
