/**
 * Checks the caps before each provider request and before history is compacted. Running tools are never interrupted.
 */
import { abortable } from '@chat-kernel/base';
import type { Usage } from '@chat-kernel/protocol';
import { type CapStatus, isNear, nearWords } from '../spend/caps.ts';
import type { Reservation } from '../spend/reservations.ts';
import { askToGoOn, overCap } from './ask-at-cap.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import { notesOfStep } from './sleeping.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Lets a run spend more and reserves the possible cost; if a cap is reached, first waits for the user.
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
    turn.model.caps.near.push(...near.filter(cap => spending.tellsNear(cap)).map(nearWords));
    // A warning caused by a sub-agent is stored after the results of its lead's step.
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
    // The user may have refused already.
    if (turn.model.caps.refused !== null) throw turn.model.caps.refused;
    const reservation = await services.spending.reserve(turn, estimate, signal);
    if (!('of' in reservation)) return reservation;
    if (turn.model.caps.refused !== null) throw turn.model.caps.refused;
    if (!canBeAsked(turn))
      throw overCap(reservation, 'This turn has no client that could be asked whether to continue.');
    // All runs of a turn wait for the same answer.
    turn.model.caps.asking ??= ask(turn, reservation, services);
    await abortable(turn.model.caps.asking, signal);
    signal.throwIfAborted();
  }
}

function ask(
  turn: RunningTurn,
  reached: CapStatus,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const asking = askOnce(turn, reached, services)
    .catch(error => {
      turn.model.caps.refused = error;
      throw error;
    })
    .finally(() => {
      turn.model.caps.asking = null;
    });
  // The runs that waited may have ended before the answer: then nothing else would catch the failure.
  asking.catch(() => {});
  return asking;
}

/**
 * Asks the user, or waits for the answer to the same question of another turn. The caller then checks the cap again.
 */
async function askOnce(
  turn: RunningTurn,
  reached: CapStatus,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const { spending } = services;
  const end = await spending.beginQuestion(reached);
  if (end === undefined) return spending.nextRoom(turn.signal);
  try {
    await askToGoOn(turn, reached, services);
  } finally {
    end();
  }
}

/** Whether the master speaks, through a client that can show a question. */
function canBeAsked({ context, record: { parameters } }: RunningTurn): boolean {
  const { client_ops = false, questions = client_ops } = parameters;
  return questions && context.privileged;
}
