/** Folding a history because its owner wants it, between two turns. */
import { type CompactResult, KernelError, type Usage } from '@chat-kernel/protocol';
import { withoutSummary } from '../history/histories.ts';
import { type ChatRecord, ModelError, type SpendRow } from '../ports/index.ts';
import { add } from '../turn/books.ts';
import { modelOf } from '../turn/choice.ts';
import type { Workshop } from '../turn/running.ts';
import { fold } from './fold.ts';
import { planFold } from './plan.ts';
import { tokensOf } from './weigh.ts';

/** Of what there is, so much stays word for word. */
const KEPT_SHARE = 0.25;

/** @throws KernelError upstream_error where no summary came: then everything is as it was; shutting_down */
export async function foldNow(
  chat: ChatRecord,
  { store, models, histories, clock, events }: Workshop,
  signal: AbortSignal,
): Promise<CompactResult> {
  const model = modelOf(chat, {}, models);
  if (model === undefined) throw new KernelError('upstream_error', 'No model can be used for a summary.');
  const history = await histories.load(chat.id);
  const plan = planFold(withoutSummary(history), tokensOf(history.messages) * KEPT_SHARE, {
    wholeTurns: true,
  });
  if (plan === null) return { folded: false };
  let spent: Usage | undefined;
  const spend = (usage: Usage) => {
    spent = spent ? add(spent, usage) : usage;
  };
  const bill = (): { spend?: SpendRow } =>
    spent ? { spend: { model: model.record.id, turns: 0, ...spent } } : {};
  try {
    const { marker, summary } = await fold(
      {
        chat_id: chat.id,
        turn_id: null,
        messages: plan.fold,
        sofar: history.summary,
        model,
        clock,
        spend,
      },
      signal,
    );
    const changes = { summary, context_tokens: 0, updated_at: marker.created_at };
    await store.writeChat({ chat_id: chat.id, append: [marker], chat: changes, ...bill() });
    histories.forget(chat.id);
    const now = await store.chat(chat.id);
    if (now) events.chatUpdated(now);
    return { folded: true, summary };
  } catch (error) {
    if (spent) await store.writeChat({ chat_id: chat.id, ...bill() });
    if (signal.aborted)
      throw new KernelError('shutting_down', 'The kernel is shutting down: try again soon.');
    if (error instanceof ModelError) throw new KernelError('upstream_error', error.message);
    throw error;
  }
}
