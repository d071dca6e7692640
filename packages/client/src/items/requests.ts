/** Tracks the requests that a turn waits for: opened by their events and ended by request_resolved. */
import type { EventOf, TurnEvent } from '../api/types.ts';
import type { OpenRequest } from './turn-view.ts';

/** Returns the open requests of a turn after one of its events; the same array if they do not change. */
export function applyToRequests(requests: readonly OpenRequest[], event: TurnEvent): readonly OpenRequest[] {
  switch (event.type) {
    case 'reset':
      return requests.length === 0 ? requests : [];
    case 'client_op':
    case 'consent_request':
    case 'extra_tool_call':
      return withNew(requests, [{ id: event.id, kind: 'op', event }]);
    case 'tool_call':
      return withNew(requests, questionsIn(event));
    case 'request_resolved': {
      const remaining = requests.filter(({ id, question }) => id !== event.id || question !== event.question);
      return remaining.length === requests.length ? requests : remaining;
    }
    default:
      return requests;
  }
}

/** Returns a request for each question of a call; most calls have none. */
function questionsIn(event: EventOf<'tool_call'>): OpenRequest[] {
  const { questions, decisions } = event.input;
  // The kernel adds decisions when it asks; a model that wrote only `questions` asks nothing.
  if (!Array.isArray(questions) || decisions === undefined) return [];
  return questions.map((_, question) => ({ id: event.id, kind: 'question', question, event }));
}

function withNew(requests: readonly OpenRequest[], opened: readonly OpenRequest[]): readonly OpenRequest[] {
  const added = opened.filter(
    ({ id, question }) => !requests.some(open => open.id === id && open.question === question),
  );
  return added.length === 0 ? requests : [...requests, ...added];
}
