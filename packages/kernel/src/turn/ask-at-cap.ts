/**
 * Asks the user a question when a spending cap is reached: a tool call that the kernel makes itself, with a request for
 * it. The history stores it like any other call, but no model sees it.
 */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import { ModelError, type RequestEnding, saysYes } from '../ports/index.ts';
import {
  CAP_REQUEST,
  type CapStatus,
  formatAmount,
  isReached,
  raiseFor,
  reachedWords,
} from '../spend/caps.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The model's tool that asks questions. Clients that do not support caps display the question because of this name. */
const NAME = 'ask_questions';
const STOP = 'Stop';

/**
 * Resolves when the turn may continue or has ended.
 * @throws ModelError spend_cap if it may not continue
 */
export async function askToGoOn(
  turn: RunningTurn,
  reached: CapStatus,
  services: Pick<TurnServices, 'requests' | 'settings' | 'spending'>,
): Promise<void> {
  const { spending, settings } = services;
  // The question contains more than the warning that the cap is near, so that warning is skipped.
  spending.tellsNear(reached);
  const id = `${CAP_REQUEST}${newId()}`;
  const goOn = `Continue (allows ${formatAmount(reached, raiseFor(reached))} more)`;
  // Free text cannot be an answer: only the option itself permits spending.
  const input = { questions: [buildQuestion(reached, goOn)], decisions: {} } satisfies JsonObject;
  // A sub-agent asks while the calls of its lead run. The question is then stored with the results of that step.
  const inStep = turn.step.openCalls > 0;
  const keep = () =>
    inStep ? turn.writes.checkpoint() : turn.store([...turn.step.takeReply(), ...turn.step.takeResults()]);
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
  // The turn has been closed, which has also closed the call.
  if (!turn.life.isOpen) return;
  const yes = saysYes(ending, goOn);
  if (yes) await spending.raise(reached);
  const mayGoOn = yes || raisedElsewhere;
  const output = yes ? 'The user lets the turn continue.' : raisedElsewhere ? RAISED : describeEnding(ending);
  turn.step.result(
    id,
    output,
    !mayGoOn && (ending.reason !== 'answered' || ending.answer.error !== undefined),
  );
  await keep();
  if (!mayGoOn) throw overCap(reached, output);
}

const RAISED = 'The user lets the turn continue, as answered in another chat.';

/** The failure of a turn at a cap. @param why the reason why the turn does not continue */
export const overCap = (reached: CapStatus, why: string): ModelError =>
  new ModelError('spend_cap', `${reachedWords(reached)} (${reached.of.setting}). ${why}`, false);

const UNTIL = {
  turn: 'Applies to this turn.',
  chat: 'Applies to this chat.',
  day: 'Applies to all chats today.',
  month: 'Applies to all chats this month.',
} as const;

const buildQuestion = (reached: CapStatus, goOn: string) => ({
  question: `${reachedWords(reached)}. Continue?`,
  header: 'Spending',
  options: [
    { label: goOn, description: UNTIL[reached.scope] },
    { label: STOP, description: 'The turn ends here. Its results are kept.' },
  ],
});

function describeEnding(ending: RequestEnding): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') return UNFINISHED_RESULT;
  const { error } = ending.answer;
  return error === undefined ? 'The user stops the turn.' : `The question could not be asked: ${error}`;
}
