/** The loop of one run: a trip to the provider, the calls it asked for, the next trip. */
import { TURN_ERRORS } from '@chat-kernel/protocol';
import { ModelError } from '../ports/index.ts';
import { runCalls } from './calls.ts';
import { mayTrip } from './check-caps.ts';
import { completed, type Ending } from './ending.ts';
import { notesOfStep } from './nap.ts';
import type { Kit, Run, Workshop } from './running.ts';
import { type Reply, trip } from './trip.ts';

/** Goes on until the model has nothing more to call. @throws whatever ends it otherwise */
export async function steps(run: Run, kit: Kit, workshop: Workshop): Promise<Ending> {
  for (let step = 0; step < workshop.settings.max_steps; step++) {
    // A summary of a long history may be the dearest call of all.
    await mayTrip(run, workshop);
    await kit.makeRoom();
    run.signal.throwIfAborted();
    const { calls, finish } = await tripThatFits(run, kit, workshop);
    run.signal.throwIfAborted();
    if (calls.length === 0) return completed(finish);
    await run.store(run.draft.takeReply());
    if (await runCalls(run, kit, calls, workshop)) return completed('ends_turn');
    // A question of the kernel stands before the results: it was asked while their calls ran.
    const results = [...run.draft.takeReply(), ...run.draft.takeResults()];
    await run.store(run === run.turn ? [...results, ...notesOfStep(run.turn)] : results);
    run.signal.throwIfAborted();
  }
  const { max_steps } = workshop.settings;
  throw new ModelError('step_limit', `${TURN_ERRORS.step_limit}: ${max_steps}.`, true);
}

/** A provider may find a request too long that was thought to fit: once, room is made for it and it is tried again. */
async function tripThatFits(run: Run, kit: Kit, workshop: Workshop): Promise<Reply> {
  await mayTrip(run, workshop);
  try {
    return await trip(run, kit, workshop);
  } catch (error) {
    run.signal.throwIfAborted();
    const tooLong = error instanceof ModelError && error.code === 'context_overflow';
    // With something of the answer told already, it cannot be told again.
    if (!tooLong || run.draft.messages.length > 0 || !(await kit.makeRoom({ refused: true }))) throw error;
    await mayTrip(run, workshop);
    return trip(run, kit, workshop);
  }
}
