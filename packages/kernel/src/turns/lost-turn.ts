/** A turn that has reached the store after all, though that seemed to fail: its connection broke before the answer. */
import type { TurnRecord } from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { closeAfterCrash } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';

/** Closes such a turn, and returns it; undefined where the store does not have it. Never rejects. */
export async function closeLost(
  { chat_id, id }: Pick<TurnRecord, 'chat_id' | 'id'>,
  services: TurnServices,
): Promise<RunningTurn | undefined> {
  const { store, log } = services;
  try {
    const record = await store.turns.get(chat_id, id);
    if (record === undefined) return undefined;
    const turn = new RunningTurn(record, services);
    await closeAfterCrash(turn, undefined, services);
    return turn;
  } catch (error) {
    log.warn({ err: error, turn_id: id }, 'whether a turn was stored is unknown: the next start will see');
    return undefined;
  }
}
