/**
 * Applies the events of a turn, of either set or both, to its view. Live and replayed events are treated the same.
 * docs/client.md describes what the original events lack.
 *
 * If both sets describe a step, the kernel's item replaces the provisional one (`item-kinds.ts` matches them).
 */
import type { EventOf, TurnEvent } from '../api/types.ts';
import { findRules } from './item-kinds.ts';
import * as steps from './reduce-item-events.ts';
import * as originals from './reduce-legacy-events.ts';
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
      return steps.started(running(turn), event.item);
    case 'item_delta':
      return steps.grown(running(turn), event.item_id, event.delta);
    case 'item_completed':
      return steps.completed(turn, event.item);
    case 'text_delta':
      return originals.text(running(turn), 'agent_message', event.text);
    case 'thinking_delta':
      return originals.text(running(turn), 'thinking', event.text);
    case 'tool_call':
      return withRequests(originals.call(running(turn), event), event);
    case 'tool_progress':
      return originals.progress(turn, event);
    case 'tool_result':
      return originals.result(running(turn), event);
    case 'image':
      return originals.image(running(turn), event);
    case 'plan':
      return originals.plan(turn, event.tasks);
    case 'client_op':
    case 'consent_request':
      return withRequests(originals.operation(running(turn), event), event);
    case 'extra_tool_call':
      return withRequests(running(turn), event);
    case 'request_resolved':
      return withRequests(originals.resolved(turn, event), event);
    case 'usage': {
      const { type: _, replayed: __, ...usage } = event;
      return { ...originals.billed(running(turn), usage), usage };
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
      event satisfies never;
      return turn;
  }
}

const withRequests = (turn: TurnView, event: TurnEvent): TurnView => ({
  ...turn,
  requests: applyToRequests(turn.requests, event),
});

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
  return {
    ...turn,
    turn_id: done.turn_id,
    status: done.status,
    position: null,
    sleeping: null,
    compacting: false,
    provider_wait: null,
    ahead: 0,
    done,
    items: turn.items.map(item =>
      item.status === 'running' ? findRules(item).ended(item, done.status) : item,
    ),
  };
}
