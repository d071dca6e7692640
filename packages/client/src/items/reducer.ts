/**
 * Applies the events of a turn to its view. Live and replayed events are treated the same. Items are built from item
 * events; the original events of the same steps only open requests.
 */
import type { Delta, EventOf, Item, TurnEvent } from '../api/types.ts';
import { applyToRequests } from './requests.ts';
import { newTurn, type TurnView } from './turn-view.ts';

/** Returns the turn after these events. Events of unknown newer types change nothing. */
export function applyEvents(turn: TurnView, events: Iterable<TurnEvent>): TurnView {
  let next = turn;
  for (const event of events) next = applyEvent(next, event);
  return next;
}

function applyEvent(turn: TurnView, event: TurnEvent): TurnView {
  switch (event.type) {
    case 'reset':
      return newTurn(turn.turn_id);
    case 'turn':
      return { ...(event.waiting_for === null ? running(turn) : turn), turn_id: event.turn_id };
    case 'provider_wait': {
      const { until, attempt, of, reason } = event;
      return { ...running(turn), provider_wait: { until, attempt, of, reason } };
    }
    case 'queued':
      return { ...turn, status: 'queued', position: event.position };
    case 'sleeping': {
      const { since, until, reason } = event;
      return { ...turn, status: 'sleeping', sleeping: { since, until, reason } };
    }
    case 'item_started':
      return started(running(turn), event.item);
    case 'item_delta':
      return grown(running(turn), event.item_id, event.delta);
    case 'item_completed':
      return withItem(turn, event.item);
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_progress':
    case 'tool_result':
    case 'image':
      return running(turn);
    case 'plan':
      return { ...turn, plan: event.tasks };
    case 'tool_call':
    case 'client_op':
    case 'consent_request':
    case 'extra_tool_call':
    case 'request_resolved':
      return { ...running(turn), requests: applyToRequests(turn.requests, event) };
    case 'usage': {
      const { type: _, replayed: __, ...usage } = event;
      return { ...running(turn), usage };
    }
    // The meter shows how full the turn's context window is; a sub-agent has its own window.
    case 'agent_usage':
      return running(turn);
    case 'compacting':
      return { ...running(turn), compacting: true };
    case 'turn_squeezed':
      return { ...running(turn), freed_chars: turn.freed_chars + event.freed_chars };
    case 'error': {
      const { code, message, retryable } = event;
      return { ...turn, turn_id: event.turn_id, error: { code, message, retryable } };
    }
    case 'done':
      return ending(turn, event);
    default:
      // A new event does not compile until it is decided here whether others, such as the terminal, need it, too.
      event satisfies never;
      return turn;
  }
}

/** A turn that does anything no longer waits. */
function running(turn: TurnView): TurnView {
  if (turn.status === 'running' && !turn.compacting && turn.provider_wait === null) return turn;
  return {
    ...turn,
    status: 'running',
    position: null,
    sleeping: null,
    compacting: false,
    provider_wait: null,
  };
}

/** Applies the end of a turn: no item stays running after it. */
function ending(turn: TurnView, done: EventOf<'done'>): TurnView {
  const status: Item['status'] = done.status === 'cancelled' ? 'aborted' : done.status;
  return {
    ...turn,
    turn_id: done.turn_id,
    status: done.status,
    position: null,
    sleeping: null,
    compacting: false,
    provider_wait: null,
    done,
    items: turn.items.map(item => (item.status === 'running' ? { ...item, status } : item)),
  };
}

/** A repeated start does not undo the growth of its item. */
const started = (turn: TurnView, item: Item): TurnView =>
  indexOf(turn, item.id) >= 0 ? turn : withItem(turn, item);

function grown(turn: TurnView, id: string, delta: Delta): TurnView {
  const item = turn.items[indexOf(turn, id)];
  if (item?.status !== 'running') return turn;
  switch (delta.type) {
    case 'text':
      if (item.kind !== 'agent_message' && item.kind !== 'thinking') return turn;
      return withItem(turn, { ...item, text: item.text + delta.text });
    case 'progress':
      return item.kind === 'tool_call' ? withItem(turn, { ...item, progress: delta.output }) : turn;
    case 'plan':
      return item.kind === 'plan' ? withItem(turn, { ...item, tasks: delta.tasks }) : turn;
    default:
      delta satisfies never;
      return turn;
  }
}

/** Replaces the item, or appends a new one, and applies what it says about its turn and the plan of the chat. */
function withItem(turn: TurnView, item: Item): TurnView {
  const index = indexOf(turn, item.id);
  return {
    ...turn,
    turn_id: item.turn_id ?? turn.turn_id,
    ...(item.kind === 'plan' && { plan: item.tasks }),
    items: index < 0 ? [...turn.items, item] : turn.items.with(index, item),
  };
}

const indexOf = ({ items }: TurnView, id: string): number => items.findLastIndex(item => item.id === id);
