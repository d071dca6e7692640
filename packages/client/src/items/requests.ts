/** The requests that a turn waits for, opened by their events and ended by request_resolved. */
import type { EventOf, Item } from '../api/types.ts';
import type { OpenRequest, TurnView } from './turn-view.ts';

/** Opens the request of an operation, or of a call of an extra tool. */
export function withOperation(turn: TurnView, event: EventOf<'client_op' | 'extra_tool_call'>): TurnView {
  return opened(turn, [{ id: event.id, kind: 'op', event }]);
}

/** Opens a request for each question of a call; most calls have none. */
export function withQuestions(turn: TurnView, event: EventOf<'tool_call'>): TurnView {
  const { questions, decisions } = event.input;
  // The kernel adds decisions where it asks; a model that wrote `questions` alone asks nothing.
  if (!Array.isArray(questions) || decisions === undefined) return turn;
  return opened(
    turn,
    questions.map((_, question) => ({ id: event.id, kind: 'question', question, event })),
  );
}

/** Closes a request, and its operation shows how it ended. */
export function resolve(turn: TurnView, resolution: EventOf<'request_resolved'>): TurnView {
  const { id, question, reason, decision } = resolution;
  const requests = turn.requests.filter(open => open.id !== id || open.question !== question);
  const items = turn.items.map((item): Item => {
    if (item.kind !== 'client_op' || item.op_id !== id || item.status !== 'running') return item;
    const status = statusOf(resolution);
    return { ...item, status, resolution: { reason }, ...(decision !== undefined && { decision }) };
  });
  return { ...turn, requests, items };
}

/** Returns the status of an operation that ended so. Whether an answered one failed is known by its item alone. */
function statusOf({ reason, decision }: EventOf<'request_resolved'>): Item['status'] {
  switch (reason) {
    case 'answered':
      return decision === 'deny' ? 'failed' : 'completed';
    case 'expired':
      return 'failed';
    case 'turn_ended':
    case 'cancelled':
      return 'aborted';
    default:
      return reason satisfies never;
  }
}

function opened(turn: TurnView, requests: readonly OpenRequest[]): TurnView {
  const fresh = requests.filter(
    ({ id, question }) => !turn.requests.some(open => open.id === id && open.question === question),
  );
  return { ...turn, requests: [...turn.requests, ...fresh] };
}
