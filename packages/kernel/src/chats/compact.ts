/** Folding a history because its owner asks for it, between two turns. */
import { type CompactResult, KernelError, type Usage } from '@chat-kernel/protocol';
import { fold, rememberedFor } from '../compaction/fold.ts';
import { planFold } from '../compaction/plan.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Ownership } from '../fleet/ownership.ts';
import { type Histories, withoutSummary } from '../history/histories.ts';
import type { Memory } from '../memory/memory.ts';
import { modelOf } from '../model/choice.ts';
import { add } from '../model/pricing.ts';
import { tokensOf } from '../model/token-estimate.ts';
import {
  type ChatRecord,
  type Clock,
  type DaySpend,
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
  memory: Memory;
  ownership: Ownership;
  spending: Spending;
  events: KernelEvents;
  clock: Clock;
  log: Log;
}

/** The share of the history, in tokens, that stays word for word. */
const KEPT_SHARE = 0.25;

/**
 * Folds the history of a chat in which no turn runs.
 * @throws KernelError upstream_error where no summary came, and nothing has changed then; shutting_down
 */
export async function foldNow(
  chat: ChatRecord,
  { store, models, histories, memory, ownership, spending, clock, events, log }: CompactServices,
  signal: AbortSignal,
): Promise<CompactResult> {
  const model = modelOf(chat, {}, models);
  if (model === undefined) throw new KernelError('upstream_error', 'No model can be used for a summary.');
  const epoch = ownership.epochOf(chat.id);
  const history = await histories.load(chat.id);
  const plan = planFold(withoutSummary(history), tokensOf(history.messages) * KEPT_SHARE, {
    wholeTurns: true,
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
  const remembered = rememberedFor(plan.fold, chat, memory);
  const { marker, summary, learned } = await fold(
    { chat_id, turn_id: null, messages: plan.fold, sofar: history.summary, remembered, model, clock, spend },
    signal,
  ).catch(async error => {
    if (spent) await store.chats.write({ chat_id, ...bill() });
    throw refusal(error, signal);
  });
  const changes = { summary, context_tokens: 0, updated_at: marker.created_at };
  // A write that fails may still have reached the disk, with only its answer lost, so the history is read anew.
  await store.chats
    .write({ chat_id, append: [marker], chat: changes, epoch, ...bill() })
    .finally(() => histories.forget(chat_id));
  await memory.learn(learned, { chat_id, turn_id: null, epoch }, log);
  const now = await store.chats.get(chat_id);
  if (now) events.chatUpdated(now);
  return { folded: true, summary };
}

function refusal(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted)
    return new KernelError('shutting_down', 'The kernel is shutting down: try again soon.', { cause: error });
  if (error instanceof ModelError) return new KernelError('upstream_error', error.message, { cause: error });
  return error;
}
