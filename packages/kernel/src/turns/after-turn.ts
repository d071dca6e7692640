/** Handles a turn that has left its queue: keeps its feed and its unstored content, and notifies others. */
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { turnDone } from '../turn/stages.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { PendingEndings } from './pending-endings.ts';
import type { Queues } from './queues.ts';
import type { UnconfirmedTurns } from './unconfirmed-turns.ts';

/** The places of turns: in queues, ended, not stored, or started without an answer of the store. */
export interface Places {
  queues: Queues;
  ended: EndedFeeds;
  unstored: PendingEndings;
  unheard: UnconfirmedTurns;
}

/** Called once when the turn has ended or was fenced. */
export async function afterTurn(
  turn: RunningTurn,
  { ended, unstored }: Pick<Places, 'ended' | 'unstored'>,
  { events, features, spending, stages, steps: { journal } }: TurnServices,
): Promise<void> {
  const { chat_id, id } = turn.record;
  const { life, outcome } = turn;
  spending.end(turn);
  if (life.isFenced) {
    journal.ended(id);
    return;
  }
  unstored.note(turn);
  if (!turn.writes.unsaved) journal.ended(id);
  ended.keep(chat_id, turn.feed);
  if (outcome.status) {
    events.turnEnded(turn.record, outcome.status);
    turnDone(turn, outcome.status, stages);
  }
  if (outcome.status !== 'completed') return;
  for (const feature of features) feature.turnCompleted?.({ id, chat_id, model: turn.model.id });
}
