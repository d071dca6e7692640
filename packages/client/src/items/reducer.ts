/**
 * THE reducer: applies the events of a turn, of either set or both, to what there is to draw. Live and replayed events
 * are the same to it. docs/client.md says what the original events alone do not tell.
 *
 * Where both sets tell a step, the item of the kernel replaces the provisional one (`item-kinds.ts` says how it is known).
 */
import type { TurnEvent } from '../api/types.ts';
import { ending } from './ending.ts';
import * as steps from './item-steps.ts';
import * as originals from './original-steps.ts';
import { resolve, withOperation, withQuestions } from './requests.ts';
import { newTurn, type TurnView } from './turn-view.ts';

/** Returns the turn after these events. Events of types that are newer than this client change nothing. */
export function applyEvents(turn: TurnView, events: Iterable<TurnEvent>): TurnView {
  let next = turn;
  for (const event of events) next = applyEvent(next, event);
  return next;
}

function applyEvent(turn: TurnView, event: TurnEvent): TurnView {
  switch (event.type) {
    case 'reset':
      return newTurn(turn.turn_id);
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
      return withQuestions(originals.call(running(turn), event), event);
    case 'tool_progress':
      return originals.progress(turn, event);
    case 'tool_result':
      return originals.result(running(turn), event);
    case 'image':
      return originals.image(running(turn), event);
    case 'plan':
      return originals.plan(turn, event.tasks);
    case 'client_op':
      return withOperation(originals.operation(running(turn), event), event);
    case 'extra_tool_call':
      return withOperation(running(turn), event);
    case 'request_resolved':
      return resolve(turn, event);
    case 'usage': {
      // The meter shows how full the window of the turn is; a sub-agent has a window of its own.
      if (event.agent !== undefined) return running(turn);
      const { type: _, replayed: __, ...usage } = event;
      return { ...running(turn), usage };
    }
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

/** A turn that does anything does not wait any more. */
function running(turn: TurnView): TurnView {
  if (turn.status === 'running' && !turn.compacting) return turn;
  return { ...turn, status: 'running', position: null, sleeping: null, compacting: false };
}
