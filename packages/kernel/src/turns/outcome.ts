/** A turn as the API shows it, while it runs and afterwards (TURN-12). */
import type { Turn } from '@chat-kernel/protocol';
import type { TurnRecord } from '../ports/index.ts';

export function outcomeOf({ error, parameters, ...record }: TurnRecord): Turn {
  const { id, chat_id, status, model, effort, started_at, ended_at, usage } = record;
  const { anchor } = parameters;
  return {
    id,
    chat_id,
    status,
    model,
    effort,
    started_at,
    ended_at,
    usage,
    ...(anchor && { anchor }),
    ...(error && { error }),
  };
}
