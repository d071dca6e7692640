/** Keeps a turn inside the context window of its model: truncates old tool output and compacts older history. */
import { findLearning, fold, knownBefore } from '../compaction/fold.ts';
import { type CompactionPlan, planFold, roomIn } from '../compaction/plan.ts';
import { type History, withoutSummary } from '../history/history.ts';
import { staleState } from '../history/known-state.ts';
import { planSqueeze } from '../history/squeeze.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import type { StoredBlock } from '../ports/index.ts';
import { isReached } from '../spend/caps.ts';
import type { Reservation } from '../spend/reservations.ts';
import { mayTrip } from './check-caps.ts';
import { isWorthFolding } from './context-window.ts';
import { describeFullWindow } from './describe-full-window.ts';
import { estimateFoldCost } from './estimate-request-cost.ts';
import { prefixTokens } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import { messageOfTurn } from './step-messages.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

type WindowSetup = Pick<TurnSetup, 'chat' | 'model' | 'system' | 'prompt_parts' | 'tools'>;

/**
 * The result of a compaction. `useless`: not tried, because it cannot free a worthwhile share of the prompt. `failed`: no
 * summary was made, or the cost is not permitted.
 */
type FoldResult = 'folded' | 'useless' | 'failed';

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
  const before = refused ? await estimatePrompt(turn, setup) : 0;
  const result = await foldInto(turn, setup, { keep, refused }, services, allow);
  if (result !== 'folded') {
    // A refused request fails the turn with the same sentence.
    if (result === 'useless' && !refused) {
      await noteFullWindow(turn, setup);
      await turn.store(turn.step.takeReply());
    }
    return squeezed;
  }
  if (turn.context.trusted) await appendStaleState(turn, services);
  // A refusal shows that the size was wrong, so the next count tells nothing about the gain; two estimates do.
  if (refused) turn.model.window.foldFreed(before - (await estimatePrompt(turn, setup)), before);
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
  if (turn.model.window.foldGainsNothing) {
    // A note must not be between the calls of the last step and their results.
    if (turn.step.messages.every(({ role }) => role === 'assistant')) await noteFullWindow(turn, setup);
    return;
  }
  const allow = async () => {
    const reservation = await services.spending.reserve(
      turn,
      () => estimateFoldCost(turn, setup),
      turn.signal,
    );
    return 'of' in reservation ? null : reservation;
  };
  await turn.store(turn.step.takeReply());
  await foldInto(turn, setup, { keep: room.keep, refused: false }, services, allow);
}

/** The estimated tokens of the next request: the last count of the provider and an estimate for the messages since. */
async function weigh(turn: RunningTurn, setup: WindowSetup): Promise<number> {
  if (turn.model.window.tokens === null) turn.model.window.estimated(await estimatePrompt(turn, setup));
  return turn.model.window.tokens as number;
}

const estimatePrompt = async (turn: RunningTurn, setup: WindowSetup): Promise<number> =>
  prefixTokens(setup) + estimateMessageTokens((await turn.history()).messages);

/** Adds a note to the step that names what fills the window, once in a turn. */
async function noteFullWindow(turn: RunningTurn, setup: WindowSetup): Promise<void> {
  if (!turn.model.window.takeFullNotice()) return;
  turn.step.note('context_full', await describeFullWindow(turn, setup));
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
  const squeezed: StoredBlock = { type: 'context', text: '', internal: { squeezed: call_ids } };
  await turn.store([messageOfTurn(turn.record, 'user', [squeezed], services.clock)]);
  turn.model.window.squeezed(before, freed_chars);
  turn.feed.squeezed(freed_chars);
  return true;
}

/**
 * Compacts older history if that helps; otherwise the turn continues unchanged.
 * @param room.keep the number of tokens to keep verbatim
 * @param room.refused true if the provider rejected the last request, so that its size is not known
 * @param allow reserves the possible cost; null: not permitted
 * @throws the cause that ends the turn
 */
async function foldInto(
  turn: RunningTurn,
  setup: WindowSetup,
  { keep, refused }: { keep: number; refused: boolean },
  services: Pick<TurnServices, 'clock' | 'events' | 'log' | 'features' | 'store'>,
  allow: () => Promise<Reservation | null>,
): Promise<FoldResult> {
  const { window } = turn.model;
  if (window.foldFailed) return 'failed';
  if (window.foldGainsNothing) return 'useless';
  const history = await turn.history();
  const plan = planFold(withoutSummary(history), keep, {
    privateTools: findLearning(services.features)?.privateTools,
  });
  if (plan === null) return 'useless';
  const tokens = refused ? null : await weigh(turn, setup);
  if (tokens !== null && !isWorthFolding(maxGain(plan, history, tokens - prefixTokens(setup)), tokens)) {
    return 'useless';
  }
  const reservation = await allow();
  if (reservation === null) return 'failed';
  try {
    return (await foldBy(plan, history, tokens, turn, setup, services)) ? 'folded' : 'failed';
  } finally {
    reservation.free();
  }
}

/**
 * The tokens that a compaction can free at most, as if its summary had none.
 * @param tokens the tokens of all messages, as the provider counts: estimates only share them out
 */
function maxGain(plan: CompactionPlan, { messages }: History, tokens: number): number {
  const all = estimateMessageTokens(messages);
  return all === 0 ? 0 : Math.max(all, tokens) * (1 - estimateMessageTokens(plan.keep) / all);
}

async function foldBy(
  plan: CompactionPlan,
  history: History,
  tokens: number | null,
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
  turn.model.window.folded(tokens);
  // If this write fails, the last write of the turn repeats it, so the marker is shown in any case.
  await turn
    .store([folded.marker], { summary: folded.summary, context_tokens: 0 })
    .finally(() => turn.feed.entry(folded.marker.content[0] as StoredBlock, folded.marker.created_at));
  const { outside = [] } = folded.summary;
  await learning?.learn(folded.learned, { ...turn.held, turn_id, outside }, log);
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
  if (content.length > 0) await turn.store([messageOfTurn(turn.record, 'user', content, services.clock)]);
}
