/** Makes a turn sleep until it is woken or its time has come, even across a restart (SLP-3, SLP-4). */
import { abortable } from '@chat-kernel/base';
import { replayInto } from '../feed/rebuild.ts';
import { type NewMessage, type TurnSleep as TurnSleepRecord, timestamp } from '../ports/index.ts';
import type { RunningTurn } from './running-turn.ts';
import { recoverMessages } from './step-messages.ts';
import type { TurnServices } from './turn-services.ts';

/** Sleeps, and returns the sentence that the model reads afterwards. Rejects with the reason of `signal`. */
export async function sleepThrough(
  turn: RunningTurn,
  { until, reason, call_id }: Pick<TurnSleepRecord, 'until' | 'reason' | 'call_id'>,
  signal: AbortSignal,
  services: Pick<TurnServices, 'clock' | 'sleeper'>,
): Promise<string> {
  const sleep: TurnSleepRecord = { since: timestamp(services.clock), until, reason, call_id };
  startSleep(turn, sleep, services);
  try {
    const checkpoint = structuredClone(turn.step.messages);
    await turn.writes.write({ turn: { status: 'sleeping', sleep, checkpoint } });
  } catch (error) {
    endSleep(turn);
    // Pending writes must not record that the turn sleeps.
    await turn.writes.write({ turn: { status: 'running', sleep: null } }).catch(() => {});
    throw error;
  }
  // The event is sent after the write, so that a client can rely on it.
  if (!signal.aborted) turn.feed.sleeping(sleep);
  return waitForWake(turn, sleep, signal, services);
}

/**
 * Restores a turn that was asleep when the previous process ended: it continues to sleep, and its feed begins with its
 * earlier events.
 * @param left its messages in the journal
 */
export async function resumeSleepingTurn(
  turn: RunningTurn,
  left: readonly NewMessage[] | undefined,
  services: Pick<TurnServices, 'sleeper' | 'store'>,
): Promise<void> {
  const { id, chat_id, message_id, sleep } = turn.record;
  const stored = await services.store.messages.listOfTurn(chat_id, id);
  const written = stored.filter(message => message.id !== message_id);
  turn.sleep.resume();
  turn.outcome.takeUp(written);
  const begun = recoverMessages(turn.record, left, stored);
  turn.step.resume(begun, replayInto(turn.feed, [...written, ...begun], { open: true }));
  if (sleep === null) return;
  startSleep(turn, sleep, services);
  turn.feed.sleeping(sleep);
}

/**
 * Waits until the restored turn is woken, and finishes its step: calls interrupted by the restart get the synthetic
 * result.
 */
export async function finishStep(turn: RunningTurn, services: Pick<TurnServices, 'clock'>): Promise<void> {
  const { sleep } = turn.record;
  if (sleep?.call_id == null) return;
  const slept = await waitForWake(turn, sleep, turn.signal, services);
  turn.step.result(sleep.call_id, slept, false);
  await turn.store([...turn.step.closeCalls(), ...notesOfStep(turn)]);
}

/**
 * The notes of the kernel on a step, stored after its results: the turn slept, modules blocked calls, or a cap is near.
 */
export function notesOfStep(turn: RunningTurn): NewMessage[] {
  if (turn.sleep.takeWoke()) turn.step.note('woken');
  for (const reason of turn.calls.blocked.splice(0)) turn.step.note('blocked', reason);
  for (const cap of turn.model.caps.near.splice(0)) turn.step.note('spend_cap_near', cap);
  return turn.step.takeReply();
}

/**
 * Leaves a sleeping turn at the end of the process. The rest of its step has been stopped; the turn itself has not
 * ended.
 */
export async function leave(
  turn: RunningTurn,
  { requests, log }: Pick<TurnServices, 'log' | 'requests'>,
): Promise<void> {
  const { id } = turn.record;
  turn.life.beginClosing();
  requests.endTurn(id, 'turn_ended');
  // This also stores results that arrived during the sleep, and the spend of the turn.
  await turn.writes
    .write({ turn: { checkpoint: structuredClone(turn.step.messages) } })
    .catch(error => log.error({ err: error, turn_id: id }, 'storing the usage of a turn failed'));
  turn.feed.close();
}

function startSleep(
  turn: RunningTurn,
  sleep: TurnSleepRecord,
  { sleeper }: Pick<TurnServices, 'sleeper'>,
): void {
  const { id, chat_id } = turn.record;
  turn.record.sleep = sleep;
  turn.sleep.start(sleeper.addTurn(chat_id, id, sleep.until));
}

async function waitForWake(
  turn: RunningTurn,
  { since }: TurnSleepRecord,
  signal: AbortSignal,
  { clock }: Pick<TurnServices, 'clock'>,
): Promise<string> {
  await abortable(Promise.resolve(turn.sleep.over), signal).finally(() => endSleep(turn));
  turn.sleep.woke();
  await turn.writes.write({ turn: { status: 'running', sleep: null } });
  return `Slept from ${since} to ${timestamp(clock)}.`;
}

function endSleep(turn: RunningTurn): void {
  turn.sleep.end();
  turn.record.sleep = null;
}
