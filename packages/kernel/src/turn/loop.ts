/** Runs the loop of one run: a provider request, the calls that the model made, the next request. */
import { TURN_ERRORS } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';
import { runCalls } from './calls.ts';
import { mayTrip } from './check-caps.ts';
import { describeFullWindow } from './describe-full-window.ts';
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

/**
 * Makes a provider request. If the provider rejects it as too long, reduces the context and retries once.
 * @throws ModelError whose message names what fills the window if the request stays too long
 */
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
    // Text that was partly shown cannot be shown again.
    if (!isTooLong(error) || run.step.messages.length > 0) throw error;
    if (!(await setup.makeRoom({ refused: true }))) throw await withCause(error, run, setup);
  }
  try {
    return await tripOnce();
  } catch (error) {
    run.signal.throwIfAborted();
    throw isTooLong(error) ? await withCause(error, run, setup) : error;
  }
}

const isTooLong = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.code === 'context_overflow';

async function withCause(error: ModelError, run: Run, setup: TurnSetup): Promise<ModelError> {
  const sentence = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const cause = await describeFullWindow(run, setup);
  const named = new ModelError(error.code, `${sentence} ${cause}`, error.retryable, error);
  named.provider = error.provider;
  return named;
}
