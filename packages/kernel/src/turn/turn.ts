/**
 * Runs a turn: requests the model, runs its calls and stores each step until the model makes no more calls. Every path
 * ends in `closeTurn`.
 */
import { loopTime } from '../base/loop-time.ts';
import type { Clock, NewMessage } from '../ports/index.ts';
import { closeTurn } from './close.ts';
import { type Ending, RESTARTED, toEnding } from './ending.ts';
import { makeRoomAtEnd } from './fit-context.ts';
import { steps } from './loop.ts';
import { prepare } from './prepare.ts';
import type { RunningTurn } from './running-turn.ts';
import { finishStep, leave } from './sleeping.ts';
import { recoverMessages } from './step-messages.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The time that a step has to stop after an ending from outside, before the turn closes without it. */
const UNWIND_MS = 2000;

/**
 * Runs a turn to its end. Never throws.
 * @param placed true if its message already has a position in the chat
 */
export async function runTurn(turn: RunningTurn, placed: boolean, services: TurnServices): Promise<void> {
  const patience = patienceWith(turn, services.clock);
  const stopCheckpoints = services.steps.checkpoints.of(turn);
  const ending = await Promise.race([
    finishStep(turn, services)
      .then(() => prepare(turn, placed, services))
      .then(setup => work(turn, setup, services))
      .catch(thrown => endingOfThrown(turn, thrown, services)),
    patience.over,
  ]);
  patience.stop();
  stopCheckpoints();
  turn.endRequest();
  if (turn.life.isFenced) {
    services.requests.endTurn(turn.record.id, 'turn_ended');
    turn.feed.close();
    return;
  }
  await loopTime();
  await (turn.sleep.handedOver ? leave(turn, services) : closeTurn(turn, ending, services));
}

async function work(turn: RunningTurn, setup: TurnSetup, services: TurnServices): Promise<Ending> {
  const ending = await steps(turn, setup, services);
  await makeRoomAtEnd(turn, setup, services);
  return ending;
}

function endingOfThrown(turn: RunningTurn, thrown: unknown, { log }: Pick<TurnServices, 'log'>): Ending {
  if (turn.signal.aborted) return turn.signal.reason as Ending;
  const ending = toEnding(thrown);
  if ('unexpected' in ending) log.error({ err: ending.unexpected, turn_id: turn.record.id }, 'a turn failed');
  return ending;
}

/**
 * The timeout of a turn that must end: `over` resolves with the ending from outside once the step has had its time to
 * stop.
 */
function patienceWith({ signal }: RunningTurn, clock: Clock): { over: Promise<Ending>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let takeBack = () => {};
  const wait = () => {
    takeBack = clock.after(UNWIND_MS, () => resolve(signal.reason));
  };
  // A turn that waited may have been ended before it began.
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait);
  const stop = () => {
    signal.removeEventListener('abort', wait);
    takeBack();
  };
  return { over: promise, stop };
}

/**
 * Closes a turn that was running when the process died: keeps its content and closes what was open.
 * @param left its messages in the journal
 */
export async function closeAfterCrash(
  turn: RunningTurn,
  left: readonly NewMessage[] | undefined,
  services: Pick<TurnServices, 'clock' | 'log' | 'requests' | 'store'>,
): Promise<void> {
  const { store } = services;
  const { id, chat_id } = turn.record;
  const stored = await store.messages.listOfTurn(chat_id, id);
  const unstored = recoverMessages(turn.record, left, stored);
  // If the store was unavailable for a while, a whole step may be missing before the running one.
  const step = unstored.findLastIndex(({ role }) => role === 'assistant');
  const before = unstored.slice(0, Math.max(step, 0));
  const blocks = stored.flatMap(({ content }) => content);
  const answered = new Set(blocks.map(block => block.type === 'tool_result' && block.tool_use_id));
  const unanswered = blocks.filter(block => block.type === 'tool_use').filter(({ id }) => !answered.has(id));
  turn.step.restore(unstored.slice(before.length), unanswered);
  await closeTurn(turn, RESTARTED, services, before);
}
