/**
 * The question of a call that runs, such as one of a tool server that needs to know something in mid-call: a call that the
 * kernel makes itself, and the request that stands under it. No model sees either.
 */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { OwnerQuestion, RequestEnding } from '../ports/index.ts';
import { requestOpener } from './request-opener.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** The tool of the model that asks questions: under its name all clients draw a question. */
const NAME = 'ask_questions';

/** @param signal aborted when nobody waits for the answer any more */
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
    await turn.checkpoint();
    const ending = await open.ending;
    // The closing of the turn has closed the call.
    if (turn.life.isOpen) turn.step.result(id, wordsOf(ending), ending.reason !== 'answered');
    return ending;
  } finally {
    open.end();
    signal.removeEventListener('abort', end);
  }
}

function wordsOf(ending: RequestEnding): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') return UNFINISHED_RESULT;
  const { answer = '', error } = ending.answer;
  return error === undefined ? answer : `The question could not be asked: ${error}`;
}
