/** The check of caps before each trip to the provider, and before history is folded. Tools that run are never cut. */
import type { Usage } from '@chat-kernel/protocol';
import { unlessEnded } from '../base/until-aborted.ts';
import { type CapStatus, isNear, nearWords } from '../spend/caps.ts';
import type { Reservation } from '../spend/reservations.ts';
import { askToGoOn, overCap } from './ask-at-cap.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import { notesOfStep } from './sleeping.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Lets a run spend more, and reserves what that may cost; where a cap is reached, it first waits for the master.
 * @throws ModelError spend_cap
 */
export async function mayTrip(
  run: Run,
  estimate: () => Promise<Usage> | Usage,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<Reservation> {
  const { turn, signal } = run;
  const { spending } = services;
  const reservation = await reserved(run, estimate, services);
  try {
    signal.throwIfAborted();
    const near = spending.of(turn).filter(isNear);
    turn.caps.near.push(...near.filter(cap => spending.tellsNear(cap)).map(nearWords));
    // A warning that a sub-agent causes is stored behind the results of its lead's step.
    if (run === turn) await turn.store(notesOfStep(turn));
    return reservation;
  } catch (error) {
    reservation.free();
    throw error;
  }
}

async function reserved(
  { turn, signal }: Run,
  estimate: () => Promise<Usage> | Usage,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<Reservation> {
  for (;;) {
    // The master may have refused already.
    if (turn.caps.refused !== null) throw turn.caps.refused;
    const given = await services.spending.reserve(turn, estimate, signal);
    if (!('of' in given)) return given;
    if (turn.caps.refused !== null) throw turn.caps.refused;
    if (!canBeAsked(turn)) throw overCap(given, 'In this turn nobody can be asked whether to go on.');
    // All runs of a turn wait for the same answer.
    turn.caps.asking ??= ask(turn, given, services);
    await unlessEnded({ signal }, turn.caps.asking);
    signal.throwIfAborted();
  }
}

function ask(
  turn: RunningTurn,
  reached: CapStatus,
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
