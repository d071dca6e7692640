/** A turn that sleeps by itself: until it is woken, or its time has come; also through a restart (SLP-3, SLP-4). */
import { retell } from '../feed/rebuild.ts';
import { type MessageDraft, type TurnSleep, timestamp } from '../ports/index.ts';
import type { RunningTurn, Workshop } from './running.ts';

/** Sleeps, and answers what the model is told of it. Rejects with the reason of `signal`. */
export async function sleepThrough(
  turn: RunningTurn,
  { until, reason, call_id }: Pick<TurnSleep, 'until' | 'reason' | 'call_id'>,
  signal: AbortSignal,
  workshop: Workshop,
): Promise<string> {
  const sleep: TurnSleep = { since: timestamp(workshop.clock), until, reason, call_id };
  lieDown(turn, sleep, workshop);
  try {
    const checkpoint = structuredClone(turn.draft.messages);
    await turn.write({ turn: { status: 'sleeping', sleep, checkpoint } });
  } catch (error) {
    getUp(turn);
    // What is owed to the disk must not say that it sleeps.
    await turn.write({ turn: { status: 'running', sleep: null } }).catch(() => {});
    throw error;
  }
  // Who is told that it sleeps may count on it.
  if (!signal.aborted) turn.feed.sleeping(sleep);
  return sleepOn(turn, sleep, signal, workshop);
}

/** A turn that slept when the process before this one ended: it sleeps on, and its feed begins with what it did. */
export async function takeUp(turn: RunningTurn, workshop: Workshop): Promise<void> {
  const { id, chat_id, message_id, checkpoint, sleep } = turn.record;
  const stored = await workshop.store.turnMessages(chat_id, id);
  const written = stored.filter(message => message.id !== message_id);
  turn.takenUp = true;
  turn.message_ids.push(...written.map(message => message.id));
  const begun = checkpoint ?? [];
  turn.draft.resume(begun, retell(turn.feed, [...written, ...begun], { open: true }));
  if (sleep === null) return;
  lieDown(turn, sleep, workshop);
  turn.feed.sleeping(sleep);
}

/** Once the turn that was taken up is woken, its step is whole: calls that the restart cut get the synthetic result. */
export async function finishStep(turn: RunningTurn, workshop: Workshop): Promise<void> {
  const { sleep } = turn.record;
  if (sleep?.call_id == null) return;
  const slept = await sleepOn(turn, sleep, turn.signal, workshop);
  turn.draft.result(sleep.call_id, slept, false);
  await turn.store([...turn.draft.closeCalls(), ...notesOfStep(turn)]);
}

/**
 * What the kernel says of a step, to be stored behind its results: that the turn slept, that modules stopped calls, that a
 * cap is near.
 */
export function notesOfStep(turn: RunningTurn): MessageDraft[] {
  if (turn.slept) turn.draft.note('woken');
  turn.slept = false;
  for (const reason of turn.blocked.splice(0)) turn.draft.note('blocked', reason);
  for (const cap of turn.caps.near.splice(0)) turn.draft.note('spend_cap_near', cap);
  return turn.draft.takeReply();
}

/** The process ends while the turn sleeps. What else its step does has been told to stop; the turn itself has no end. */
export async function leave(turn: RunningTurn, { requests, log }: Workshop): Promise<void> {
  const { id } = turn.record;
  turn.closing = true;
  requests.endTurn(id, 'turn_ended');
  // What it has spent.
  await turn
    .write({ turn: {} })
    .catch(error => log.error({ err: error, turn_id: id }, 'what a turn has spent could not be stored'));
  turn.feed.close();
}

function lieDown(turn: RunningTurn, sleep: TurnSleep, { sleeper }: Workshop): void {
  const { id, chat_id } = turn.record;
  turn.record.sleep = sleep;
  turn.nap = sleeper.nap(chat_id, id, sleep.until);
}

async function sleepOn(
  turn: RunningTurn,
  { since }: TurnSleep,
  signal: AbortSignal,
  { clock }: Workshop,
): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([turn.nap?.over, promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    getUp(turn);
  }
  turn.slept = true;
  await turn.write({ turn: { status: 'running', sleep: null } });
  return `Slept from ${since} to ${timestamp(clock)}.`;
}

function getUp(turn: RunningTurn): void {
  turn.nap?.stop();
  turn.nap = null;
  turn.record.sleep = null;
}
