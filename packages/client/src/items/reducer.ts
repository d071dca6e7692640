/**
 * Applies the events of a turn to its view. Live and replayed events are treated the same. Items are built from item
 * events; the original events of the same steps only open requests.
 */
import type { EventOf, Item, TurnEvent } from '../api/types.ts';
import { completed, grown, started } from './item-events.ts';
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
      return completed(turn, event.item);
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
