/**
 * The question at a cap: a call that the kernel makes itself, and the request that stands under it. The call is in
 * the history like any other, and no model sees it.
 */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import { ModelError, type RequestEnding } from '../ports/index.ts';
import { amountOf, CAP_REQUEST, type CapStatus, isReached, raiseFor, reachedWords } from '../spend/caps.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The tool of the model that asks questions: under its name clients that know nothing of caps draw a question. */
const NAME = 'ask_questions';
const STOP = 'Stop';

/** Resolves when the turn may go on, or is over. @throws ModelError spend_cap where it may not */
export async function askToGoOn(
  turn: RunningTurn,
  reached: CapStatus,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const { spending, settings } = services;
  await turn.life.stored;
  // The question says more than the warning that the cap is near, so the warning is not given any more.
  spending.tellsNear(reached);
  const id = `${CAP_REQUEST}${newId()}`;
  const goOn = `Go on (allows ${amountOf(reached, raiseFor(reached))} more)`;
  // The answer cannot be in free words: only the option itself lets money be spent.
  const input = { questions: [questionOf(reached, goOn)], decisions: {} } satisfies JsonObject;
  // A sub-agent asks while the calls of its lead run; the question is then stored with the results of that step.
  const inStep = turn.step.openCalls > 0;
  const keep = () =>
    inStep ? turn.checkpoint() : turn.store([...turn.step.takeReply(), ...turn.step.takeResults()]);
  const open = requestOpener(
    turn,
    services,
  )({
    kind: 'question',
    event: { type: 'tool_call', id, name: NAME, input },
    timeout_secs: settings.requests.question_timeout_secs,
    question: 0,
    decisions: [],
  });
  turn.step.ask(id, NAME, input);
  let raisedElsewhere = false;
  const forget = spending.onRoom(() => {
    const now = spending
      .of(turn)
      .find(({ of, period }) => of.setting === reached.of.setting && period === reached.period);
    raisedElsewhere = now === undefined || !isReached(now);
    if (raisedElsewhere) open.end();
  });
  const ending = await keep()
    .then(() => open.ending)
    .finally(forget);
  // The closing of the turn has closed the call.
  if (!turn.life.isOpen) return;
  const yes = saysYes(ending, goOn);
  if (yes) spending.raise(reached);
  const mayGoOn = yes || raisedElsewhere;
  const output = yes ? 'The master lets the turn go on.' : raisedElsewhere ? RAISED : wordsOf(ending);
  turn.step.result(
    id,
    output,
    !mayGoOn && (ending.reason !== 'answered' || ending.answer.error !== undefined),
  );
  await keep();
  if (!mayGoOn) throw overCap(reached, output);
}

const RAISED = 'The master lets it go on, as was answered in another chat.';

/** The failure of a turn at a cap. @param why the reason why the turn does not go on */
export const overCap = (reached: CapStatus, why: string): ModelError =>
  new ModelError('spend_cap', `${reachedWords(reached)} (${reached.of.setting}). ${why}`, false);

const UNTIL = {
  turn: 'Counts for this turn.',
  chat: 'Counts for this chat.',
  day: 'Counts for today, in all chats.',
  month: 'Counts for this month, in all chats.',
} as const;

const questionOf = (reached: CapStatus, goOn: string) => ({
  question: `${reachedWords(reached)}. Go on?`,
  header: 'Spending',
  options: [
    { label: goOn, description: UNTIL[reached.scope] },
    { label: STOP, description: 'The turn ends here; what it has done is kept.' },
  ],
});

/** Whether the answer is the option that lets the turn go on; no other answer does. */
const saysYes = (ending: RequestEnding, goOn: string): boolean =>
  ending.reason === 'answered' && ending.answer.answer === goOn && ending.answer.error === undefined;

function wordsOf(ending: RequestEnding): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') return UNFINISHED_RESULT;
  const { error } = ending.answer;
  return error === undefined ? 'The master stops the turn.' : `The question could not be asked: ${error}`;
}
