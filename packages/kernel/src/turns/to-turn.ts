/** Converts a turn to its API form, while it runs and afterwards (TURN-12). */
import type { Turn, WaitingFor } from '@chat-kernel/protocol';
import type { TurnRecord } from '../ports/index.ts';

export function toTurn({ error, parameters, ...record }: TurnRecord, waiting_for: WaitingFor): Turn {
  const { id, chat_id, status, model, effort, started_at, ended_at, usage, outside } = record;
  const { anchor } = parameters;
  return {
    id,
    chat_id,
    status,
    waiting_for,
    model,
    effort,
    started_at,
    ended_at,
    usage,
    outside: [...outside],
    ...(anchor && { anchor }),
    ...(error && { error }),
  };
}
