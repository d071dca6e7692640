/** The check of caps before each trip to the provider, and before history is folded. Tools that run are never cut. */

import { unlessEnded } from '../base/until-aborted.ts';
import { isNear, isReached, nearWords } from '../spend/caps.ts';
import { askToGoOn, overCap } from './ask-at-cap.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import { notesOfStep } from './sleeping.ts';
import type { TurnServices } from './turn-services.ts';

/** Lets a run spend more; where a cap is reached, it first waits for the master. @throws ModelError spend_cap */
export async function mayTrip(
  run: Run,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const { turn, signal } = run;
  const { spending } = services;
  await spending.refresh();
  for (let reached = reachedBy(turn, services); reached; reached = reachedBy(turn, services)) {
    if (!canBeAsked(turn)) throw overCap(reached, 'In this turn nobody can be asked whether to go on.');
    // All runs of a turn wait for the same answer.
    turn.caps.asking ??= ask(turn, reached, services);
    await unlessEnded({ signal }, turn.caps.asking);
    signal.throwIfAborted();
  }
  const near = spending.of(turn).filter(isNear);
  turn.caps.near.push(...near.filter(cap => spending.tellsNear(cap)).map(nearWords));
  // A warning that a sub-agent causes is stored behind the results of its lead's step.
  if (run === turn) await turn.store(notesOfStep(turn));
}

/** The first cap that is reached. @throws ModelError the refusal that the master has given already */
function reachedBy(turn: RunningTurn, { spending }: Pick<TurnServices, 'spending'>) {
  if (turn.caps.refused !== null) throw turn.caps.refused;
  return spending.of(turn).find(isReached);
}

function ask(
  turn: RunningTurn,
  reached: Parameters<typeof askToGoOn>[1],
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const asking = askToGoOn(turn, reached, services)
    .catch(error => {
      turn.caps.refused = error;
      throw error;
    })
    .finally(() => {
      turn.caps.asking = null;
    });
  // The runs that waited may have ended meanwhile: then nothing else would catch the failure.
  asking.catch(() => {});
  return asking;
}

/** Whether the master speaks, through a client that can show a question. */
function canBeAsked({ context, record: { parameters } }: RunningTurn): boolean {
  const { client_ops = false, questions = client_ops } = parameters;
  return questions && context.privileged;
}
