/** Runs the loop of one run: a provider request, the calls that the model made, the next request. */
import { TURN_ERRORS } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';
import { runCalls } from './calls.ts';
import { mayTrip } from './check-caps.ts';
import { completed, type Ending, replied } from './ending.ts';
import { estimateRequestCost } from './estimate-request-cost.ts';
import { type Reply, requestModel } from './model-request.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import type { Run } from './running-turn.ts';
import { notesOfStep } from './sleeping.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/**
 * Runs steps until the model makes no more calls.
 * @throws the cause of any other end
 */
export async function steps(run: Run, setup: TurnSetup, services: TurnServices): Promise<Ending> {
  const repeats = new RepeatedCalls();
  for (let step = 0; step < services.settings.llm.max_steps; step++) {
    await setup.makeRoom();
    run.signal.throwIfAborted();
    const { calls, finish } = await tripThatFits(run, setup, services);
    run.signal.throwIfAborted();
    if (calls.length === 0) return replied(finish, run.step.hasReply);
    await run.store(run.step.takeReply());
    if (await runCalls(run, setup, calls, services, repeats)) return completed('ends_turn');
    // The kernel may have asked a question while the calls ran; it is placed before their results.
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

/** Makes a provider request. If the provider rejects it as too long, reduces the context and retries once. */
async function tripThatFits(
  run: Run,
  setup: TurnSetup,
  services: Pick<TurnServices, 'clock' | 'log' | 'requests' | 'settings' | 'spending' | 'stages' | 'store'>,
): Promise<Reply> {
  const tripOnce = async () =>
    requestModel(run, setup, services, await mayTrip(run, () => estimateRequestCost(run, setup), services));
  try {
    return await tripOnce();
  } catch (error) {
    run.signal.throwIfAborted();
    const tooLong = error instanceof ModelError && error.code === 'context_overflow';
    // Text that was partly shown cannot be shown again.
    if (!tooLong || run.step.messages.length > 0 || !(await setup.makeRoom({ refused: true }))) throw error;
    return tripOnce();
  }
}
