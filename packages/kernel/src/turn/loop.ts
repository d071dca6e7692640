/** The loop of one run: a trip to the provider, the calls it asked for, the next trip. */
import { TURN_ERRORS } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';
import { runCalls } from './calls.ts';
import { mayTrip } from './check-caps.ts';
import { costOfTrip } from './cost-of-trip.ts';
import { completed, type Ending } from './ending.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import type { Run } from './running-turn.ts';
import { notesOfStep } from './sleeping.ts';
import { type Reply, trip } from './trip.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** Runs steps until the model calls nothing more. @throws the cause of any other end */
export async function steps(run: Run, setup: TurnSetup, services: TurnServices): Promise<Ending> {
  const repeats = new RepeatedCalls();
  for (let step = 0; step < services.settings.llm.max_steps; step++) {
    await setup.makeRoom();
    run.signal.throwIfAborted();
    const { calls, finish } = await tripThatFits(run, setup, services);
    run.signal.throwIfAborted();
    if (calls.length === 0) return completed(finish);
    await run.store(run.step.takeReply());
    if (await runCalls(run, setup, calls, services, repeats)) return completed('ends_turn');
    // A question of the kernel was asked while the calls ran, and stands before their results.
    const results = [...run.step.takeReply(), ...run.step.takeResults()];
    await run.store(run === run.turn ? [...results, ...notesOfStep(run.turn)] : results);
    run.signal.throwIfAborted();
    const repeated = repeats.endStep();
    if (repeated !== undefined) {
      throw new ModelError('repeated_call', `${TURN_ERRORS.repeated_call}: ${repeated}.`, true);
    }
  }
  const { max_steps } = services.settings.llm;
  throw new ModelError('step_limit', `${TURN_ERRORS.step_limit}: ${max_steps}.`, true);
}

/** Makes a trip. Where the provider finds the request too long, room is made and the trip is tried again, once. */
async function tripThatFits(
  run: Run,
  setup: TurnSetup,
  services: Pick<
    TurnServices,
    'clock' | 'log' | 'requests' | 'schedules' | 'settings' | 'spending' | 'stages' | 'store'
  >,
): Promise<Reply> {
  const tripOnce = async () =>
    trip(run, setup, services, await mayTrip(run, () => costOfTrip(run, setup), services));
  try {
    return await tripOnce();
  } catch (error) {
    run.signal.throwIfAborted();
    const tooLong = error instanceof ModelError && error.code === 'context_overflow';
    // An answer that was partly shown cannot be shown again.
    if (!tooLong || run.step.messages.length > 0 || !(await setup.makeRoom({ refused: true }))) throw error;
    return tripOnce();
  }
}
