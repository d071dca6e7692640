/** What a turn waits for: requests to clients, opened by their events and ended by request_resolved. */
import type { EventOf, Item } from '../api/types.ts';
import type { OpenRequest, TurnView } from './turn-view.ts';

/** An operation, or a call of an extra tool. */
export function withOperation(turn: TurnView, event: EventOf<'client_op' | 'extra_tool_call'>): TurnView {
  return opened(turn, [{ id: event.id, kind: 'op', event }]);
}

/** Each question of a call is a request; a call that asks nothing opens none. */
export function withQuestions(turn: TurnView, event: EventOf<'tool_call'>): TurnView {
  const { questions, decisions } = event.input;
  // The decisions are the kernel's own: with them it says that it asks.
  if (!Array.isArray(questions) || decisions === undefined) return turn;
  return opened(
    turn,
    questions.map((_, question) => ({ id: event.id, kind: 'question', question, event })),
  );
}

/** Ended, however: the dialog closes, and the operation shows it. */
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

/** Whether an operation that was answered failed is told by its item alone. */
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
