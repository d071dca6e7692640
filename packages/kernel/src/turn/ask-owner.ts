/**
 * Asks the user a question for a running call, for example when a tool server needs information during the call. The
 * kernel makes a call of its own, with a request for it; no model sees either.
 */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { OwnerQuestion, RequestEnding } from '../ports/index.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The model's tool that asks questions. All clients display the question because of this name. */
const NAME = 'ask_questions';

/** @param signal aborted when nothing waits for the answer */
export async function askOwner(
  turn: RunningTurn,
  question: OwnerQuestion,
  signal: AbortSignal,
  services: Pick<TurnServices, 'requests' | 'settings'>,
): Promise<RequestEnding> {
  signal.throwIfAborted();
  const id = `asked_${newId()}`;
  const input = { questions: [{ ...question }], decisions: {} } satisfies JsonObject;
  const open = requestOpener(
    turn,
    services,
  )({
    kind: 'question',
    event: { type: 'tool_call', id, name: NAME, input },
    timeout_secs: services.settings.requests.question_timeout_secs,
    question: 0,
    decisions: [],
  });
  const end = () => open.end();
  signal.addEventListener('abort', end);
  turn.step.ask(id, NAME, input);
  try {
    await turn.writes.checkpoint();
    const ending = await open.ending;
    // The turn has been closed, which has also closed the call.
    if (turn.life.isOpen) turn.step.result(id, describeEnding(ending), ending.reason !== 'answered');
    return ending;
  } finally {
    open.end();
    signal.removeEventListener('abort', end);
  }
}

function describeEnding(ending: RequestEnding): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') return UNFINISHED_RESULT;
  const { answer = '', error } = ending.answer;
  return error === undefined ? answer : `The question could not be asked: ${error}`;
}
