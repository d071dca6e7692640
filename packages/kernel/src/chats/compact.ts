/** Compacts a history at the user's request, between two turns. */
import { type CompactResult, KernelError, type Usage } from '@chat-kernel/protocol';
import { findLearning, fold, knownBefore } from '../compaction/fold.ts';
import { planFold } from '../compaction/plan.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Ownership } from '../fleet/ownership.ts';
import type { Histories } from '../history/histories.ts';
import { withoutSummary } from '../history/history.ts';
import { selectModel } from '../model/choice.ts';
import { add } from '../model/pricing.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import {
  type ChatRecord,
  type Clock,
  type DaySpend,
  type Feature,
  type Log,
  ModelError,
  type Models,
  type SpendRow,
  type Store,
} from '../ports/index.ts';
import type { Spending } from '../spend/spending.ts';

interface CompactServices {
  store: Store;
  models: Models;
  histories: Histories;
  features: readonly Feature[];
  ownership: Ownership;
  spending: Spending;
  events: KernelEvents;
  clock: Clock;
  log: Log;
}

/** The share of the history, in tokens, that is kept verbatim. */
const KEPT_SHARE = 0.25;

/**
 * Compacts the history of a chat in which no turn runs.
 * @throws KernelError upstream_error if no summary was created, and then nothing has changed; shutting_down
 */
export async function foldNow(
  chat: ChatRecord,
  { store, models, histories, features, ownership, spending, clock, events, log }: CompactServices,
  signal: AbortSignal,
): Promise<CompactResult> {
  const model = selectModel(chat, {}, models);
  if (model === undefined) throw new KernelError('upstream_error', 'No model is available for the summary.');
  const held = ownership.hold(chat.id);
  const history = await histories.load(chat.id);
  const learning = findLearning(features);
  const plan = planFold(withoutSummary(history), estimateMessageTokens(history.messages) * KEPT_SHARE, {
    wholeTurns: true,
    privateTools: learning?.privateTools,
  });
  if (plan === null) return { folded: false };
  let spent: Usage | undefined;
  const spend = (usage: Usage) => {
    spent = spent ? add(spent, usage) : usage;
  };
  const { id: chat_id } = chat;
  const { id: model_id } = model.record;
  const bill = (): { spend?: SpendRow; days?: DaySpend[] } =>
    spent
      ? {
          spend: { model: model_id, turns: 0, ...spent },
          days: [spending.record(spent, model_id, chat_id)],
        }
      : {};
  const known = knownBefore(plan.fold, chat, learning);
  const { marker, summary, learned } = await fold(
    {
      chat_id,
      turn_id: null,
      messages: plan.fold,
      sofar: history.summary,
      outside: history.outside,
      learning,
      known,
      model,
      clock,
      spend,
    },
    signal,
  ).catch(async error => {
    if (spent) await store.chats.write({ chat_id, ...bill() });
    throw refusal(error, signal);
  });
  const changes = { summary, context_tokens: 0, updated_at: marker.created_at };
  // A failed write may still have reached the disk if only its response was lost, so the history is read again.
  await store.chats
    .write({ ...held, append: [marker], chat: changes, ...bill() })
    .finally(() => histories.forget(chat_id));
  await learning?.learn(learned, { ...held, turn_id: null, outside: summary.outside ?? [] }, log);
  const now = await store.chats.get(chat_id);
  if (now) events.chatUpdated(now);
  events.historyChanged(chat_id, marker.id);
  return { folded: true, summary };
}

function refusal(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted)
    return new KernelError('shutting_down', 'The kernel is shutting down. Try again later.', {
      cause: error,
    });
  if (error instanceof ModelError) return new KernelError('upstream_error', error.message, { cause: error });
  return error;
}
